import { join } from 'node:path';
import type { Observe } from '#actors/host/agent/moment.ts';
import { onceLetIn } from '#actors/host/agent/patience.ts';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { performersOf } from '#actors/host/effects/performers.ts';
import { RuleBook } from '#actors/host/reading/rule-book.ts';
import { lookBy } from '#actors/host/reading/sight.ts';
import { ReviewDesk } from '#actors/host/review/review-desk.ts';
import { conditionOf } from '#actors/host/serve/condition.ts';
import { GatewayWatch } from '#actors/host/serve/gateway-watch.ts';
import { hostId, hostKey } from '#actors/host/serve/identity.ts';
import { LaunchDesk } from '#actors/host/serve/launch-desk.ts';
import { Ringer } from '#actors/host/typing/ringer.ts';
import { Typist } from '#actors/host/typing/typist.ts';
import { BaseWatch } from '#actors/host/watch/base-watch.ts';
import { Inspector } from '#actors/host/watch/inspector.ts';
import type { Bus } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import { openHostLine } from '#bus/host-line.ts';
import type { Log, ProcessContext } from '#contract/process-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { steadyTimer, systemTimer } from '#world/concurrency/timer.ts';
import { holderOf } from '#world/incarnation.ts';
import { machineName } from '#world/machine-name.ts';
import { probeGateway } from '#world/net/gateway-probe.ts';
import { agentEnvironment, baseEnvironment, programPathOf } from '#world/process/environment.ts';
import { keepScratchIn, sweepScratch } from '#world/process/scratch.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { chooseTerminal } from '#world/terminal-choice.ts';
import { openTerminals } from '#world/terminals.ts';
import { serveCalls } from './calls.ts';
import { Host } from './host.ts';

/** Runs one host until it is stopped. `observe` hears of every moment of its actors before they go on. */
export async function runHost(context: ProcessContext, observe: Observe = () => {}): Promise<void> {
  const { config, log, tracer } = context;
  const run = join(config.home, 'run');
  const worktrees = join(config.home, 'worktrees');
  const temporary = join(config.home, 'tmp');
  const environment = baseEnvironment(process.env, join(config.home, 'bin'));
  const programs = programPathOf(process.env['PATH'] ?? '', config.home);
  const choice = await chooseTerminal(config.terminal);
  const bus = await joinBus(context);
  const held: Held = {};
  const { id, line, registry, installation, confirmed } = await joinRegistry(context, bus, held);
  const terminals = await openTerminals(choice, {
    runDir: run,
    environment: agentEnvironment(environment, config.agentVariables),
    installation,
    log: (message, fields) => log.warn(fields ?? {}, message),
  });
  await prepareScratch(temporary, log);
  const harnesses = await RuleBook.open({ folder: join(config.home, 'rules'), builtIn, log, confirmed });
  context.onStop(() => harnesses.stop());
  const look = lookBy(harnesses, (screens) => harnesses.refuse(screens));
  const actor = (agentId: string) => host.actor(agentId);
  const atPanes = { actor, terminals, harnesses, look, registry, clock: systemTimer };
  const gateway = watchGateway(context);
  const typist = new Typist(atPanes);
  const inspector = new Inspector(atPanes);
  const ringer = new Ringer({
    ...atPanes,
    unchangedMs: (agentId, digest) => host.unchangedMs(agentId, digest),
    log,
  });
  context.onStop(() => {
    typist.stop();
    ringer.stop();
  });
  const host: Host = new Host({
    id,
    name: machineName(),
    found: () => foundOn(harnesses, programs),
    coding: () => codingIn(harnesses),
    hear: (told) => harnesses.hear(told),
    condition: conditionOf(context, { worktrees, home: config.home, reach: () => gateway.reach }),
    look,
    bus,
    registry,
    terminals,
    performers: performersOf({
      terminals,
      harnesses,
      look,
      environment,
      variables: config.agentVariables,
      programs,
      worktrees,
      settings: join(config.home, 'settings'),
      baseUrl: config.baseUrl,
      registry,
      typist,
      clock: systemTimer,
      log,
    }),
    clock: steadyTimer(),
    fileClock: systemTimer,
    log,
    tracer,
    observe,
    ringer,
    onGone: (agentId) => [desk, ringer].forEach((one) => void one.forget(agentId)),
  });
  held.host = host;
  harnesses.onChange(() => host.beatNow());
  context.onStop(() => host.stop());
  const bases = new BaseWatch({ tell: (agentId) => registry.baseMoved(agentId), clock: systemTimer, log });
  context.onStop(() => bases.stop());
  const desk = new ReviewDesk({
    recordOf: async (id) => host.actor(id)?.record ?? registry.load(id),
    asking: { registry, clock: systemTimer },
    bases,
  });
  const launches = new LaunchDesk({ rules: harnesses, refresh: () => host.beat() });
  const asked = { bus, line, host, terminals, typist, inspector, desk, launches };
  const examine = async () => [...(await context.examine()), await host.checkTerminals(), await gateway.check()];
  const calls = await serveCalls({ ...asked, examine, stateFolder: config.home });
  context.onStop(() => calls.stop());
  await host.start();
  bases.start();
  context.ready();
}

async function joinBus(context: ProcessContext): Promise<Bus> {
  const { log, tracer, busUrl: url, busUser: user, busPassword: password, busAuthority: authority } = context;
  const bus = await connectBus({ url, user, password, authority, name: 'host', log, tracer });
  context.onStop(() => bus.close());
  return bus;
}

/** Tries from now on, until the host stops, the address that its agents are given. */
function watchGateway({ config, log, onStop }: ProcessContext): GatewayWatch {
  const gateway = new GatewayWatch({ url: config.baseUrl, probe: probeGateway, clock: systemTimer, log });
  onStop(() => gateway.stop());
  gateway.start();
  return gateway;
}

/** Names of the harnesses whose CLI is on the PATH that is given. */
function foundOn(harnesses: RuleBook, programs: string): string[] {
  const found = harnesses
    .all()
    .filter(({ command, isUnconfirmed }) => !isUnconfirmed && findProgram(command, programs));
  return found.map(({ name }) => name);
}

/** Names of the harnesses that are not built in and that a coding agent is behind. */
function codingIn(harnesses: Harnesses): string[] {
  const own = harnesses.all().filter(({ name, codingAgent }) => codingAgent && builtIn.find(name) === undefined);
  return own.map(({ name }) => name);
}

async function prepareScratch(folder: string, log: Log): Promise<void> {
  keepScratchIn(folder);
  const names = await sweepScratch(folder);
  if (names.length > 0) log.warn({ folder, names }, 'what is left of the last run cannot be removed');
}

/** The host, once there is one. */
interface Held {
  host?: Host;
}

/** Opens the host's line to the registry, and waits until it is let in. */
async function joinRegistry(context: ProcessContext, bus: Bus, held: Held) {
  const { config, log, onStop, ready, installation: own } = context;
  const id = hostId(config.home);
  const line = openHostLine(bus, id, hostKey(config.home), {
    monotonic: systemTimer.monotonic,
    log,
    installation: own,
    holder: holderOf(config.home),
    cursor: () => held.host?.cursor ?? '',
    onAnotherLog: () => held.host?.readAnew(),
  });
  onStop(() => line.close());
  const registry = registryClient(line);
  const starting = new AbortController();
  onStop(() => starting.abort());
  const ask = () => registry.families([]);
  const { installation, confirmed } = await onceLetIn(systemTimer, starting.signal, ask, (refusal) => {
    log.error({ err: refusal }, 'the registry refuses this host: it waits until that is mended');
    // The rest of an installation comes up meanwhile: it is needed to mend that.
    ready();
  });
  own.keep(installation);
  return { id, line, registry, installation, confirmed };
}
