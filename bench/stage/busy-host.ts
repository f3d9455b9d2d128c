// Simulates a busy host: no CLI runs, but its agents make BENCH_TRANSITIONS transitions per second in all.

import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { advance } from '#actors/loop.ts';
import { connectBus } from '#bus/connection.ts';
import { openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { seededHost } from './seed.ts';

const perSecond = Number(process.env['BENCH_TRANSITIONS']);
/** The maximum number of transitions in flight. A slower registry gets fewer. */
const maxInFlight = 16;
const round = ['AGENT_STATE_THINKING', 'AGENT_STATE_IDLE'] as const;

await runProcess(
  'host',
  readConfig(process.env),
  async ({ busUrl: url, busMember: member, busCredential: credential, log, onStop, ready }) => {
    const bus = await connectBus({ url, member, credential, log });
    onStop(() => bus.close());
    const registry = registryClient(
      openHostLine(bus, seededHost.id, makeKeyPair(), { monotonic: systemTimer.monotonic, log }),
    );
    const { id: hostId, ...greeting } = seededHost;
    await registry.beat({ hostId, ...greeting });
    const records: AgentRecord[] = [];
    for (let cursor = '', more = true; more; ) {
      const answer = await registry.changes(seededHost.id, cursor);
      records.push(...answer.agents);
      ({ cursor, more } = answer);
    }
    let transitions = 0;
    const inFlight = new Set<Promise<void>>();
    const transition = async (): Promise<void> => {
      const at = transitions % records.length;
      const state = round[Math.floor(transitions / records.length) % round.length] ?? 'AGENT_STATE_IDLE';
      transitions += 1;
      const record = records[at];
      if (record === undefined) return;
      const reading = { type: 'READING', reading: { state, reason: '' } } as const;
      records[at] = (await advance(registry, record, reading)).record;
    };
    const timer = setInterval(() => {
      if (inFlight.size >= maxInFlight) return;
      const pending = transition()
        .catch((err: unknown) => log.warn({ err }, 'a transition failed'))
        .finally(() => inFlight.delete(pending));
      inFlight.add(pending);
    }, 1_000 / perSecond);
    onStop(async () => {
      clearInterval(timer);
      await Promise.all(inFlight);
    });
    ready();
  },
);
