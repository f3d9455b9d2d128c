// Replaces a host: nothing runs on it, and the agents that are placed on it move so many times a second in all, as
// those of a busy fleet do.

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

const perSecond = Number(process.env['BENCH_MOVES']);
/** The maximum number of changes in progress: a registry that does not keep up gets no more. */
const maxUnderWay = 16;
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
    const { id: hostId, ...said } = seededHost;
    await registry.beat({ hostId, ...said });
    const records: AgentRecord[] = [];
    for (let cursor = '', more = true; more; ) {
      const answer = await registry.changes(seededHost.id, cursor);
      records.push(...answer.agents);
      ({ cursor, more } = answer);
    }
    let moves = 0;
    const underWay = new Set<Promise<void>>();
    const move = async (): Promise<void> => {
      const at = moves % records.length;
      const state = round[Math.floor(moves / records.length) % round.length] ?? 'AGENT_STATE_IDLE';
      moves += 1;
      const record = records[at];
      if (record === undefined) return;
      const reading = { type: 'READING', reading: { state, reason: '' } } as const;
      records[at] = (await advance(registry, record, reading)).record;
    };
    const timer = setInterval(() => {
      if (underWay.size >= maxUnderWay) return;
      const one = move()
        .catch((err: unknown) => log.warn({ err }, 'a move failed'))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }, 1_000 / perSecond);
    onStop(async () => {
      clearInterval(timer);
      await Promise.all(underWay);
    });
    ready();
  },
);
