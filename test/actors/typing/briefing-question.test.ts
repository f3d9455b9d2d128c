import { expect } from 'chai';
import { deliverBriefing } from '#actors/host/effects/deliver-briefing.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import { briefingStamps } from '#actors/host/typing/briefing-stamp.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { failureOf } from '#test/support/failure.ts';
import { noIsolation } from '#test/support/no-isolation.ts';
import type { MachineTimer } from '#world/concurrency/timer.ts';
import { AskingCli } from './asking-cli.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';

describe('a briefing and a question', () => {
  const { snapshot } = begin(agentDefinition, { name: 'Ada', provision: false, scripts: [] });

  for (const [when, stamp] of [
    ['', ''],
    [', also where that was before a crash', briefingStamps.pasted],
  ] as const) {
    it(`is never typed into the question, and is pasted again if the question swallowed the paste${when}`, async () => {
      const cli = new AskingCli(agentId, stamp);
      const record = { id: agentId, family: agentId, launch: { harness: 'codex', briefing: 'find the bug' }, snapshot };
      const effect = { key: 'k', kind: 'deliverBriefing', params: {} };
      const registry = { load: async () => ({ ...record, effects: [effect] }) as unknown as AgentRecord };
      const performer = deliverBriefing({
        terminals: cli,
        observePane: paneObserver(builtIn),
        clock: leaping(),
        registry,
        isolation: noIsolation,
      });
      const event = await performer.perform(performanceOf(record as unknown as AgentRecord, effect));
      expect(event).to.deep.include({ type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
      const first = stamp === '' ? ['paste on rest'] : [];
      expect(cli.done).to.deep.equal([...first, 'answer', 'paste on rest', 'submit on drafted']);
    });
  }

  it('is not typed if the launch ended while its host was disconnected', async () => {
    const cli = new AskingCli(agentId, '');
    const record = { id: agentId, family: agentId, launch: { harness: 'codex', briefing: 'find the bug' }, snapshot };
    const effect = { key: 'k', kind: 'deliverBriefing', params: {} };
    const registry = { load: async () => ({ ...record, effects: [] }) as unknown as AgentRecord };
    const performer = deliverBriefing({
      terminals: cli,
      observePane: paneObserver(builtIn),
      clock: leaping(),
      registry,
      isolation: noIsolation,
    });
    const performing = () => performer.perform(performanceOf(record as unknown as AgentRecord, effect));
    expect((await failureOf(performing)).code).to.equal('aborted');
    expect(cli.done).to.deep.equal([]);
  });
});

/** A clock on which every wait ends immediately. */
function leaping(): MachineTimer {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}
