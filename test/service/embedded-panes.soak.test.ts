import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { environmentOf, listProcesses } from '#world/process/process-tree.ts';

type Answer = { readonly agent?: Agent };

describe('an installation without tmux', () => {
  let pieces: Pieces;
  before(skipWithoutPty);
  beforeEach(async () => {
    pieces = await setUpPieces(ownProgram, { MUSTER_TERMINAL: 'embedded' });
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  });
  afterEach(async () => {
    const run = join(pieces.home, 'run');
    await pieces.stop();
    expect(await inPanes(run), 'nothing is left in any pane').to.deep.equal([]);
  });

  const of = (method: string, request: object) => pieces.call<Answer>(`agent.v1.AgentService/${method}`, request);
  const mark = () => join(pieces.home, 'mark');
  const marks = () => (existsSync(mark()) ? readFileSync(mark(), 'utf8').trim().split('\n') : []);

  /** The processes in panes of the installation whose folder this is. */
  async function inPanes(run: string): Promise<number[]> {
    const isIn = (entry: string) => entry.startsWith('MUSTER_PANE=') && entry.endsWith(`,${run}`);
    return (await listProcesses()).map(({ pid }) => pid).filter((pid) => environmentOf(pid).some(isIn));
  }

  /** Waits until the agent's row is as the test wants it. */
  async function row(agentId: string, what: string, isSo: (agent: Agent) => boolean): Promise<Agent> {
    return moment(what, async () => {
      const { agent } = await pieces.call<{ agent?: Answer }>('agent.v1.AgentService/GetAgent', { agentId });
      return agent?.agent && isSo(agent.agent) ? agent.agent : undefined;
    });
  }

  const atRest = (agentId: string) =>
    row(agentId, 'it rests', ({ state, alive }) => alive === true && state === 'AGENT_STATE_IDLE');

  /** Launches a shell whose briefing leaves a mark, and waits until it rests. */
  async function launch(): Promise<string> {
    const { workflow } = await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      name: 'bare',
      cwd: pieces.repository,
      harness: 'shell',
    });
    const { agent } = await of('CreateAgent', { prompt: `echo briefed >> ${mark()}`, workflowId: workflow.id });
    const id = agent?.id ?? '';
    await atRest(id);
    expect(marks()).to.deep.equal(['briefed']);
    return id;
  }

  async function prompt(agentId: string, word: string): Promise<void> {
    await of('PromptAgent', { agentId, prompt: `echo ${word} >> ${mark()}` });
    await moment(`${word} is done`, () => marks().at(-1) === word);
    await atRest(agentId);
  }

  it('launches an agent, prompts it, archives and restores it', async () => {
    const agentId = await launch();
    await prompt(agentId, 'first');
    await of('ArchiveAgent', { agentId });
    await row(agentId, 'it is archived', ({ alive, archivedAt }) => !alive && archivedAt !== undefined);
    expect(await inPanes(join(pieces.home, 'run'))).to.deep.equal([]);
    await of('RestoreAgent', { agentId });
    await atRest(agentId);
    await prompt(agentId, 'second');
    expect(marks()).to.deep.equal(['briefed', 'first', 'second']);
  });

  it('refuses to attach, with the reason and the remedy', async () => {
    const agentId = await launch();
    const refusal = await of('AttachAgent', { agentId }).catch((error: Error) => error.message);
    expect(refusal)
      .to.match(/embedded panes \(MUSTER_TERMINAL is embedded\), which no tmux shows/)
      .and.to.include('unset MUSTER_TERMINAL and restart muster, and restore the agent');
  });

  it('shows agents as dormant whose panes ended with the host, and restores them', async () => {
    const agentId = await launch();
    for (const [word, end] of [
      ['killed', () => pieces.kill('host')],
      ['stopped', () => pieces.halt('host')],
    ] as const) {
      const before = await inPanes(join(pieces.home, 'run'));
      expect(before).not.to.deep.equal([]);
      await end();
      await moment('its pane has ended', async () => (await inPanes(join(pieces.home, 'run'))).length === 0);
      await pieces.start('host');
      const dormant = await row(agentId, 'it is dormant', ({ alive }) => !alive);
      expect(dormant.stateReason).to.equal('muster ended, and the embedded panes with it');
      expect(dormant.archivedAt).to.equal(undefined);
      await of('RestoreAgent', { agentId });
      await atRest(agentId);
      await prompt(agentId, word);
    }
    expect(marks()).to.deep.equal(['briefed', 'killed', 'stopped']);
  });
});
