// Simulates BENCH_HOSTS hosts, with the code of the checkout BENCH_CHECKOUT. Their agents make transitions on request,
// over a socket in the state folder, so that the measuring process does not slow them down.
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
import { fleetSocket, type TransitionLoad, type TransitionTimes } from './fleet-transitions.ts';
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

/** An agent and its host. */
interface HostedAgent {
  readonly host: FakeHost;
  record: AgentRecord;
}

/** How a host joins the bus: with its own credential, or in older checkouts with the password of all hosts. */
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
  const fleet: HostedAgent[] = (await Promise.all(hosts.map(takeUp))).flat();
  const beats = setInterval(() => {
    for (const host of hosts) host.beat().catch((err: unknown) => log.warn({ err }, 'a beat failed'));
  }, beatMs);
  onStop(() => clearInterval(beats));
  const server = createServer(async (request, response) => {
    const { inFlight, forMs }: TransitionLoad = JSON.parse(decodeURIComponent((request.url ?? '').slice(1)));
    response.end(JSON.stringify(await transitions(fleet, inFlight, forMs)));
  });
  server.listen(join(config.home, fleetSocket), ready);
  onStop(() => void server.close());
});

/** Loads the agents of a host. */
async function takeUp(host: FakeHost): Promise<HostedAgent[]> {
  const taken: HostedAgent[] = [];
  for (let cursor = '', more = true; more; ) {
    const answer = await host.registry.changes(host.id, cursor);
    taken.push(...answer.agents.map((record) => ({ host, record })));
    ({ cursor, more } = answer);
  }
  return taken;
}

/** Changes the states of agents in turn, `inFlight` at a time, for `forMs` milliseconds. */
async function transitions(fleet: readonly HostedAgent[], inFlight: number, forMs: number): Promise<TransitionTimes> {
  const end = performance.now() + forMs;
  const took: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let now = performance.now(); now < end; ) {
      const agent = fleet[next % fleet.length];
      next += 1;
      if (agent === undefined) return;
      agent.record = (await modules.advance(agent.host.registry, agent.record, nextReading(agent.record))).record;
      const then = performance.now();
      took.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { took };
}

/** A reading that changes the agent's state, whatever it is. */
function nextReading({ version }: AgentRecord) {
  return { type: 'READING', reading: { state: states[version % 2] ?? states[0], reason: `turn ${version}` } } as const;
}
