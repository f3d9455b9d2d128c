import { expect } from 'chai';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { agentDefinition, viewOf } from '#machines/agent/agent-view.ts';
import { contradicts, parseSelfReport } from '#machines/agent/self-report.ts';
import { begin, decide } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';

const read = (state: 'IDLE' | 'THINKING' | 'WAITING' | 'UNCERTAIN', more: object = {}): AgentEvent => ({
  type: 'READING',
  reading: { state: `AGENT_STATE_${state}`, reason: '', ...more },
});
const says = (reason: string, at: number): AgentEvent => ({ type: 'REPORTED', report: { reason, at } });

/** An agent whose CLI is at work, as all of this left it. */
function heldAfter(...events: readonly AgentEvent[]): StoredSnapshot {
  const { snapshot } = begin(agentDefinition, { name: 'a', provision: false, scripts: [] });
  const opened: AgentEvent[] = [
    { type: 'WINDOW_OPENED', paneId: '%1', harnessVersion: '2.2.0' },
    { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  ];
  return [...opened, ...events].reduce(
    (held, event) => decide(agentDefinition, held, event)?.snapshot ?? held,
    snapshot,
  );
}
const isOpen = (snapshot: StoredSnapshot): boolean => readAgentContext(snapshot).report?.open === true;
const factsOf = (before: StoredSnapshot, event: AgentEvent) =>
  decide(agentDefinition, before, event)?.facts.map(({ kind }) => kind) ?? [];

describe('the self-report of a CLI', () => {
  it('is parsed in the words of muster’s hooks, and in no others', () => {
    const hooks = builtIn
      .all()
      .flatMap(({ reports }) => (reports && 'words' in reports ? Object.entries(reports.words) : []));
    const meant = Object.fromEntries(
      hooks.map(([, text]) => [text, parseSelfReport(text.replaceAll(/\{\w+\}/g, 'x'))]),
    );
    expect(meant).to.deep.equal({
      'session {source}': undefined,
      working: 'works',
      'asks permission: {tool_name}': 'asks',
      '{message}': undefined,
      'done: {last_assistant_message}': 'ended',
      'failed: {error}': 'ended',
      interrupted: 'ended',
      ready: undefined,
      'action required': 'asks',
    });
    expect(parseSelfReport('Claude needs your permission to use Bash')).to.equal('asks');
    for (const own of [
      'implementing the login page',
      'working on it',
      'donec eget',
      '',
      'Claude is waiting for your input',
    ]) {
      expect(parseSelfReport(own), own).to.equal(undefined);
    }
  });

  it('is open until its pane shows it, in either order', () => {
    expect(isOpen(heldAfter(says('working', 1)))).to.equal(false);
    const asks = heldAfter(says('asks permission: Bash', 1));
    expect(isOpen(asks)).to.equal(true);
    expect(isOpen(decide(agentDefinition, asks, read('UNCERTAIN'))?.snapshot ?? asks)).to.equal(true);
    expect(isOpen(heldAfter(says('asks permission: Bash', 1), read('WAITING'), read('THINKING')))).to.equal(false);
    expect(isOpen(heldAfter(read('WAITING'), says('asks permission: Bash', 1), read('THINKING')))).to.equal(false);
  });

  it('is new in the same words only after the pane has shown them and then another state', () => {
    const answered = heldAfter(says('asks permission: Bash', 1), read('WAITING'), read('THINKING'));
    expect(isOpen(decide(agentDefinition, answered, says('asks permission: Bash', 9))?.snapshot ?? answered)).to.equal(
      true,
    );
    const working = heldAfter(says('working', 1));
    expect(decide(agentDefinition, working, says('working', 9))).to.equal(undefined);
    const asked = heldAfter(says('asks permission: Bash', 1));
    expect(decide(agentDefinition, asked, says('asks permission: Bash', 9))).to.equal(undefined);
  });

  it('of a question is reported once as a wait, and changes no state on its own', () => {
    const asks = heldAfter(says('asks permission: Bash', 1));
    expect(viewOf(asks)).to.include({ state: 'AGENT_STATE_THINKING', asksUnseen: false, harnessVersion: '2.2.0' });
    const doubt = read('UNCERTAIN', { reason: 'disagreement, …', asksUnseen: true });
    expect(factsOf(asks, doubt)).to.include('agent.waits');
    const doubted = heldAfter(says('asks permission: Bash', 1), doubt);
    expect(viewOf(doubted)).to.include({ state: 'AGENT_STATE_UNCERTAIN', asksUnseen: true, waitingFor: '' });
    expect(factsOf(doubted, read('WAITING', { reason: 'permission' }))).not.to.include('agent.waits');
    expect(factsOf(doubted, read('UNCERTAIN', { reason: 'disagreement, again', asksUnseen: true }))).not.to.include(
      'agent.waits',
    );
    expect(factsOf(heldAfter({ type: 'HOLD', at: 1 }), doubt)).not.to.include('agent.waits');
  });

  it('contradicts no question on a screen, no background work, and no ended CLI', () => {
    const reads = (state: string, reason = '') => ({ state: `AGENT_STATE_${state}`, reason }) as never;
    expect(contradicts(reads('THINKING'), 'asks')).to.equal(true);
    expect(contradicts(reads('UNCERTAIN', 'viewer'), 'asks')).to.equal(true);
    expect(contradicts(reads('IDLE'), 'works')).to.equal(true);
    expect(contradicts(reads('THINKING'), 'ended')).to.equal(true);
    for (const said of ['works', 'ended'] as const) expect(contradicts(reads('WAITING', 'menu'), said)).to.equal(false);
    expect(contradicts(reads('THINKING', 'background'), 'ended')).to.equal(false);
    expect(contradicts(reads('UNCERTAIN', 'exited to a shell'), 'asks')).to.equal(false);
  });
});
