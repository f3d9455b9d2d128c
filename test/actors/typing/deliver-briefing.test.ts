import { expect } from 'chai';
import { deliverBriefing } from '#actors/host/effects/deliver-briefing.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { failureOf } from '#test/support/failure.ts';
import { noIsolation } from '#test/support/no-isolation.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { TerminalsStandIn } from '../terminal-stand-in.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';

describe('a briefing', () => {
  let folder: TemporaryFolder;
  let terminals: Terminals;
  beforeEach(() => {
    folder = temporaryFolder('briefing');
    terminals = createTmuxTerminals({ runDir: folder.path, environment: { PATH: process.env['PATH'] ?? '' } });
  });
  afterEach(async () => {
    await terminals.end(agentId);
    folder.remove();
  });

  const deliver = (harness = 'shell', seen: Terminals = terminals) => {
    const { snapshot } = begin(agentDefinition, { name: 'Ada', provision: false, scripts: [] });
    const record = { id: agentId, family: agentId, launch: { harness, briefing: 'echo hi' }, snapshot };
    const effect = { key: 'k', kind: 'deliverBriefing', params: {} };
    const registry = { load: async () => ({ ...record, effects: [effect] }) as unknown as AgentRecord };
    const performer = deliverBriefing({
      terminals: seen,
      observePane: paneObserver(builtIn),
      clock: systemTimer,
      registry,
      isolation: noIsolation,
    });
    return performer.perform(performanceOf(record as unknown as AgentRecord, effect));
  };

  it('reports how the CLI ended, with its last words, if it exits before the paste', async () => {
    const terminal = await terminals.of(agentId);
    const argv = ['/bin/sh', '-c', 'echo "unknown option: --fats"; sleep 0.3; exit 3'];
    await terminal.open({ agentId, name: 'a', cwd: folder.path, argv, env: {} });
    expect(await deliver()).to.deep.include({
      type: 'PANE_GONE',
      reason: 'the CLI exited with status 3; its screen shows: unknown option: --fats',
      briefed: false,
    });
  });

  it('is never typed into the shell after a CLI exited', async () => {
    const terminal = await terminals.of(agentId);
    const argv = ['/bin/sh', '-c', 'echo "sign in first"; exec bash --norc --noprofile -i'];
    const pane = await terminal.open({ agentId, name: 'a', cwd: folder.path, argv, env: {} });
    const { code, message } = await failureOf(() => deliver('claude'));
    expect(code).to.equal('failed_precondition');
    expect(message).to.contain('exited to a shell').and.to.contain('sign in first');
    expect((await terminal.capture(pane.paneId))?.rows.join()).to.not.contain('echo hi');
  });

  it('is retried if the terminal then reports the missing pane as alive', async () => {
    const blind: Terminals = new TerminalsStandIn();
    blind.find = async () => undefined;
    blind.ask = async () => [{ agentId, paneId: '%1', pid: 1, dead: false, exitStatus: undefined }];
    expect(await failureOf(() => deliver('shell', blind))).to.include({ code: 'unavailable' });
  });

  it('starts no terminal if the agent’s terminal has ended', async () => {
    expect(await deliver()).to.deep.include({ type: 'PANE_GONE', briefed: false });
    expect(await terminals.runs(agentId)).to.equal(false);
  });
});
