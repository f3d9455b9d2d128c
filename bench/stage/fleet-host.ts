// Replaces a host by as many as BENCH_HOSTS says, which take their agents up and move them when they are asked to: over
// a socket in the state folder, so that what is measured does not wait for what measures. Runs the code of the checkout
// that BENCH_CHECKOUT names.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { advance } from '#actors/loop.ts';
import type { BusOptions } from '#bus/bus.ts';
import type { connectBus } from '#bus/connection.ts';
import type * as busKeys from '#bus/identity/bus-keys.ts';
import type { BusKeys } from '#bus/identity/bus-keys.ts';
import type { ProcessContext } from '#contract/process-context.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { readConfig } from '#service/config.ts';
import type { runProcess } from '#service/process.ts';
import type { FakeHost } from '#test/registry/fake-host.ts';
import { load, thisCheckout } from './checkout.ts';
import { fleetSocket, type Movement, type Moves } from './fleet-moves.ts';
import { hostIdOf } from './seed.ts';

interface Modules {
  readonly advance: typeof advance;
  readonly connectBus: typeof connectBus;
  readonly readConfig: typeof readConfig;
  readonly runProcess: typeof runProcess;
  readonly FakeHost: typeof FakeHost;
}

const checkout = process.env['BENCH_CHECKOUT'] ?? thisCheckout;
const count = Number(process.env['BENCH_HOSTS']);
const modules: Modules = {
  ...(await load<Pick<Modules, 'advance'>>(checkout, 'actors/loop.ts')),
  ...(await load<Pick<Modules, 'connectBus'>>(checkout, 'bus/connection.ts')),
  ...(await load<Pick<Modules, 'readConfig'>>(checkout, 'src/service/config.ts')),
  ...(await load<Pick<Modules, 'runProcess'>>(checkout, 'src/service/process.ts')),
  ...(await load<Pick<Modules, 'FakeHost'>>(checkout, 'test/registry/fake-host.ts')),
};

/** How often each host beats, in milliseconds. */
const beatMs = 5_000;
const states = ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'] as const;

/** An agent, and the host that it is on. */
interface Moving {
  readonly host: FakeHost;
  record: AgentRecord;
}

/** How a host joins the bus: by a credential of its own, or in an older checkout by the password of all hosts. */
async function accessOf(hostId: string, context: ProcessContext): Promise<Partial<BusOptions>> {
  const identity = await load<Partial<typeof busKeys>>(checkout, 'bus/identity/bus-keys.ts').catch(() => undefined);
  if (identity?.certify === undefined || identity.makeMemberKey === undefined) {
    const { busUser: user, busPassword: password } = context as unknown as Record<string, string>;
    return { user, password } as Partial<BusOptions>;
  }
  const keys = JSON.parse(readFileSync(join(context.config.home, 'bus.keys'), 'utf8')) as BusKeys;
  const member = { kind: 'host', hostId } as const;
  const { publicKey, seed } = identity.makeMemberKey();
  const jwt = await identity.certify(keys, member, publicKey);
  return { member, credential: { jwt: () => jwt, seed } };
}

await modules.runProcess('host', modules.readConfig(process.env), async (context) => {
  const { busUrl: url, config, log, onStop, ready } = context;
  const hosts: FakeHost[] = [];
  for (let place = 0; place < count; place += 1) {
    const id = hostIdOf(place);
    const bus = await modules.connectBus({ url, ...(await accessOf(id, context)), log });
    onStop(() => bus.close());
    const host = new modules.FakeHost(bus, id);
    hosts.push(host);
    host.directories.set(config.home, true);
    await host.start();
  }
  const fleet: Moving[] = (await Promise.all(hosts.map(takeUp))).flat();
  const beats = setInterval(() => {
    for (const host of hosts) host.beat().catch((err: unknown) => log.warn({ err }, 'a beat failed'));
  }, beatMs);
  onStop(() => clearInterval(beats));
  const server = createServer(async (request, response) => {
    const { inFlight, forMs }: Movement = JSON.parse(decodeURIComponent((request.url ?? '').slice(1)));
    response.end(JSON.stringify(await moves(fleet, inFlight, forMs)));
  });
  server.listen(join(config.home, fleetSocket), ready);
  onStop(() => void server.close());
});

/** The agents of a host. */
async function takeUp(host: FakeHost): Promise<Moving[]> {
  const taken: Moving[] = [];
  for (let cursor = '', more = true; more; ) {
    const answer = await host.registry.changes(host.id, cursor);
    taken.push(...answer.agents.map((record) => ({ host, record })));
    ({ cursor, more } = answer);
  }
  return taken;
}

/** Moves agents in turn, so many at a time, for so long. */
async function moves(fleet: readonly Moving[], inFlight: number, forMs: number): Promise<Moves> {
  const end = performance.now() + forMs;
  const took: number[] = [];
  let next = 0;
  const mover = async (): Promise<void> => {
    for (let now = performance.now(); now < end; ) {
      const moving = fleet[next % fleet.length];
      next += 1;
      if (moving === undefined) return;
      moving.record = (await modules.advance(moving.host.registry, moving.record, readingAfter(moving.record))).record;
      const then = performance.now();
      took.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, mover));
  return { took };
}

/** What moves an agent's state, whichever it is in. */
function readingAfter({ version }: AgentRecord) {
  return { type: 'READING', reading: { state: states[version % 2] ?? states[0], reason: `turn ${version}` } } as const;
}
