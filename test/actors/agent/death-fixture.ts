import { chmodSync } from 'node:fs';
import type { Performer } from '#actors/host/agent/performer.ts';
import { Host } from '#actors/host/host.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import type { Bus } from '#bus/bus.ts';
import type { AgentView } from '#contract/agent/agent-view.ts';
import { agentDefinition, viewOf } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { newAgent, saveHost, storeFixture } from '#test/store/store-fixture.ts';
import { calmMachine } from '#test/support/calm-machine.ts';
import { moment } from '#test/support/moment.ts';
import { TmuxFixture } from '#test/world/tmux-fixture.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { countingPerformer, silent } from '../actor-fixture.ts';
import { storedRegistry } from './stored-registry.ts';

/** A host on a real store and real tmux servers, whose agents are shell scripts that a test has written. */
export async function deathFixture(through: (terminals: Terminals) => Terminals = (terminals) => terminals) {
  const [stored, tmux] = [await storeFixture(), new TmuxFixture()];
  const { store } = stored;
  await saveHost(store);
  const terminals = through(tmux.terminals());
  let ring = (): void => {};
  const bus: Pick<Bus, 'subscribe' | 'onReconnect'> = {
    subscribe(_subject, hear) {
      ring = () => hear(undefined, '');
      return { close() {} };
    },
    onReconnect: () => ({ close() {} }),
  };
  const host = new Host({
    id: 'hst_1',
    name: 'here',
    found: () => [],
    onConfirmed: async () => {},
    condition: calmMachine,
    observePane: paneObserver(builtIn),
    bus: bus as Bus,
    registry: storedRegistry(stored),
    terminals,
    performers: { openWindow: openScript(terminals, tmux), deliverBriefing: briefed() },
    clock: systemTimer,
    log: silent,
    observe: () => {},
    doorbellSender: { check() {} },
  });
  await host.start();

  const view = async (id: string): Promise<AgentView> =>
    viewOf((await store.read(({ journal }) => journal.load(id))).snapshot);
  const version = async (id: string) => (await store.read(({ journal }) => journal.load(id))).version;
  return {
    stored,
    tmux,
    /** Launches an agent whose CLI is a script, and waits until it is live and shows the script's first words. */
    async launch(id: string, script: string, parentAgentId?: string): Promise<void> {
      chmodSync(tmux.write(id, `#!/bin/sh\necho up\n${script}\n`), 0o755);
      const decision = begin(agentDefinition, { name: id, provision: false, scripts: [] });
      await store.write(({ journal }) => journal.insert(newAgent(id, { decision, parentAgentId })));
      ring();
      await moment(`${id} is live`, async () => {
        const { phase, stateReason } = await view(id);
        return phase === 'live.uncertain' && stateReason === '';
      });
    },
    view,
    version,
    /** The agent's row once its reason says this, which takes seconds at most. */
    rowWith: (id: string, reason: RegExp) =>
      moment(`the row of ${id} says ${reason}`, async () => {
        const row = await view(id);
        return reason.test(row.stateReason) ? row : undefined;
      }),
    async close(): Promise<void> {
      await host.stop();
      await tmux.close();
      await stored.close();
    },
  };
}

function openScript(terminals: Terminals, tmux: TmuxFixture): Performer {
  return {
    step: 'opening',
    async perform({ record }) {
      const terminal = await terminals.of(record.family);
      const { paneId } = await terminal.open(tmux.window(record.id, [tmux.path(record.id)]));
      return { type: 'WINDOW_OPENED', paneId };
    },
  };
}

function briefed(): Performer {
  const reading = { state: 'AGENT_STATE_THINKING', reason: '' } as const;
  return countingPerformer('briefing', async () => ({ type: 'BRIEFED', reading }));
}
