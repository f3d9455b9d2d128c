import { expect } from 'chai';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { AgentContext, AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition, viewOf } from '#machines/agent/agent-view.ts';
import { begin, type Decision, decide } from '#machines/decide.ts';
import { sampleEvents } from './agent-events.ts';

const input = { name: 'a', provision: true, scripts: ['onWaiting'] as const };
const tell = (snapshot: StoredSnapshot, event: AgentEvent): StoredSnapshot =>
  (decide(agentDefinition, snapshot, event) as Decision).snapshot;
const reads = (state: PaneState): AgentEvent => ({ type: 'READING', reading: { state, reason: '' } });

/** An agent whose window is open and that was not briefed yet. */
const opened = (): StoredSnapshot =>
  ['WORKTREE_READY', 'WINDOW_OPENED']
    .map((type) => sampleEvents.find((sample) => sample.type === type) as AgentEvent)
    .reduce<StoredSnapshot>(tell, begin(agentDefinition, input).snapshot);
const live = (): StoredSnapshot =>
  tell(opened(), { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });

describe('the turns of an agent', () => {
  const course = (snapshot: StoredSnapshot, ...states: PaneState[]): number | undefined =>
    viewOf(states.map(reads).reduce<StoredSnapshot>(tell, snapshot)).turns;
  const [works, rests, waits, unsure]: [PaneState, PaneState, PaneState, PaneState] = [
    'AGENT_STATE_THINKING',
    'AGENT_STATE_IDLE',
    'AGENT_STATE_WAITING',
    'AGENT_STATE_UNCERTAIN',
  ];

  it('are counted once as each comes to rest, whatever questions came between', () => {
    expect(course(live())).to.equal(0);
    expect(course(live(), rests)).to.equal(1);
    expect(course(live(), rests, rests, unsure, rests)).to.equal(1);
    expect(course(live(), waits, works, waits, rests), 'one turn with two questions').to.equal(1);
    expect(course(live(), rests, waits, rests), 'a dialog at rest').to.equal(1);
    expect(course(live(), unsure, rests, works, rests)).to.equal(2);
  });

  it('continue across windows without the interrupted one, and are unknown in an older window', () => {
    const ended = tell(live(), { type: 'PANE_GONE', reason: 'it ended', briefed: true });
    const again = tell(tell(ended, { type: 'RESTORE' }), { type: 'WINDOW_OPENED', paneId: '%2' });
    expect(course(again, rests)).to.equal(0);
    expect(course(again, rests, works, rests)).to.equal(1);
    const { turns: _, ...older } = live().context as AgentContext;
    expect(course({ ...live(), context: older }, rests)).to.equal(undefined);
  });
});

describe('a waiting agent', () => {
  const asks = (asked: string): AgentEvent => ({
    type: 'READING',
    reading: { state: 'AGENT_STATE_WAITING', reason: 'permission', asked },
  });

  it('shows its question, reports it once with the notice, and replaces it by the next question', () => {
    const first = decide(agentDefinition, live(), asks('Bash command · rm -r build')) as Decision;
    expect(viewOf(first.snapshot).waitingFor).to.equal('Bash command · rm -r build');
    expect(first.facts.find(({ kind }) => kind === 'agent.waits')?.detail).to.deep.equal({
      reason: 'permission',
      waitingFor: 'Bash command · rm -r build',
    });
    const next = decide(agentDefinition, first.snapshot, asks('Bash command · npm test')) as Decision;
    expect(viewOf(next.snapshot).waitingFor).to.equal('Bash command · npm test');
    expect(next.facts.map(({ kind }) => kind)).to.deep.equal(['agent.changed']);
    expect(next.effects).to.deep.equal([]);
  });

  it('has no question once it continues or its pane is gone', () => {
    const waits = tell(live(), asks('Which storage?'));
    expect(viewOf(tell(waits, reads('AGENT_STATE_THINKING'))).waitingFor).to.equal('');
    expect(viewOf(tell(waits, reads('AGENT_STATE_WAITING'))).waitingFor).to.equal('');
    const gone = tell(waits, { type: 'PANE_GONE', reason: 'it ended', briefed: true });
    expect(viewOf(gone)).to.include({ state: 'AGENT_STATE_WAITING', waitingFor: '' });
  });

  it('shows the next question before its briefing, too', () => {
    const asked = tell(tell(opened(), asks('Trust this folder?')), asks('Choose a theme'));
    expect(viewOf(asked)).to.include({ phase: 'settingUp.briefing.asked', waitingFor: 'Choose a theme' });
  });
});
