import { join } from 'node:path';
import { hostDefaults } from '#actors/registry/host/settings/host-limits.ts';
import { ulidIds } from '#actors/registry/kernel/ulid-ids.ts';
import { notificationSender } from '#actors/registry/notify/notification-sender.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import { connectBus } from '#bus/connection.ts';
import type { MonotonicClock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import type { BusAdmission } from '#contract/joining/bus-admission.ts';
import type { ProcessContext } from '#contract/process-context.ts';
import { hostProtocol } from '#contract/wire/host-condition.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { builtIn } from '#machines/harness/table.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { openStore } from '#store/store.ts';
import { steadyTimer, systemTimer } from '#world/concurrency/timer.ts';
import { baseEnvironment } from '#world/process/environment.ts';
import { SteadyClock } from '#world/steady-clock.ts';
import { databaseEngine } from './database-engine.ts';
import { installationOf } from './installation.ts';
import { requireSecrets } from './installation-files.ts';
import { requireFreeBus } from './peer/bus-claim.ts';
import { holderOf } from './peer/holder.ts';
import { Peers } from './peer/peers.ts';
import { SharedClock } from './peer/shared-clock.ts';
import { startRegistry } from './registry.ts';

/** What tests may replace: by default a registry uses the machine's clock and the real database. */
interface RegistryOverrides {
  readonly clock?: MonotonicClock;
  /** The time that is sent to hosts. They use the machine's own clock even if a test sets `clock`. */
  readonly hostTime?: () => number;
  readonly open?: typeof openStore;
}

/** Runs the registry until it is stopped. */
export async function runRegistry(
  context: ProcessContext,
  { clock: own = systemTimer, hostTime, open = openStore }: RegistryOverrides = {},
): Promise<void> {
  const {
    config,
    log,
    tracer,
    busUrl: url,
    busMember: member,
    busCredential: credential,
    busAuthority: authority,
  } = context;
  const sharedClock = new SharedClock(own);
  const clock = new SteadyClock(config.databaseUrl === undefined ? own : sharedClock);
  const onFault = (error: unknown) => log.error({ err: error }, 'the database file differs from what muster wrote');
  const store = await open({
    engine: databaseEngine(config),
    clock,
    viewOf,
    upgrades: snapshotUpgrades,
    tracer,
    onFault,
    onUnsure: (failure) => context.giveUp(failure),
  });
  context.onStop(() => store.close());
  const { sharedTime } = store;
  const clockOfDatabase = sharedTime && {
    measure: () => sharedClock.measure(sharedTime),
    steps: () => sharedClock.steps,
  };
  await clockOfDatabase?.measure();
  // The offset of this machine's clock is not a step of the database's clock.
  clock.follow(clock.step());
  await requireSecrets(store, config.home);
  const holder = holderOf(await store.write(installationOf), config.home);
  const installation = { id: () => holder.installation, holder };
  const bus = await connectBus({
    url,
    member,
    credential,
    authority,
    name: 'registry',
    log,
    tracer,
    installation,
  });
  context.onStop(() => bus.close());
  const work = new WorkFigures();
  const peers = new Peers({ store, bus, holder, timer: steadyTimer(), log, work });
  await peers.join();
  await requireFreeBus({ bus, own: holder, peers, log });
  context.installation.keep(holder.installation);
  const environment = baseEnvironment(process.env, join(config.home, 'bin'));
  const registry = await startRegistry({
    store,
    bus,
    holder,
    peers,
    clockOfDatabase,
    work,
    onLost: context.giveUp,
    clock,
    hostTime,
    ids: ulidIds(clock),
    log,
    harnesses: builtIn,
    isolationSetting: config.isolation,
    ceiling: config.agentCeiling,
    launchQuota: {
      reserved: config.placesForPeople,
      perMinute: config.agentLaunchesPerMinute,
      atOnce: config.agentLaunches,
      archived: config.agentLaunchesArchived,
    },
    hostDefaults,
    own: { version: context.version, protocol: hostProtocol },
    newHosts: config.newHosts,
    admission: requireAdmission(context),
    factsKept: { days: config.factDays, count: config.factCount },
    mailLimits: { perMinute: config.mailPerMinute, hops: config.mailHops },
    sender: notificationSender(environment),
    environment,
    stateFolder: config.home,
    startedIn: process.cwd(),
    examine: context.examine,
    backups: context.backups,
  });
  context.onStop(() => registry.stop());
  context.ready();
}

/** A registry has the keys of the bus, with which it admits hosts. */
function requireAdmission({ admission }: ProcessContext): BusAdmission {
  if (admission !== undefined) return admission;
  throw new Failure('BUS_NOT_CONFIGURED', 'The keys of the bus are missing: name them in MUSTER_BUS_KEYS');
}
