import { join } from 'node:path';
import { issueToken } from '#actors/registry/access/agent-credential.ts';
import { hashOf, operatorToken } from '#actors/registry/access/agent-tokens.ts';
import type { DatabaseClock } from '#actors/registry/clock-steps.ts';
import type { HostDefaults } from '#actors/registry/host/settings/host-limits.ts';
import { installationOf } from '#actors/registry/installation.ts';
import type { LaunchQuota } from '#actors/registry/launch/quota.ts';
import type { MailLimits } from '#actors/registry/mail/mail-scope.ts';
import { notificationSender } from '#actors/registry/notify/notification-sender.ts';
import { holderOf } from '#actors/registry/peer/holder.ts';
import { Peers } from '#actors/registry/peer/peers.ts';
import { type Registry, startRegistry } from '#actors/registry/registry.ts';
import type { FactRetention } from '#actors/registry/registry-scope.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { Bus } from '#bus/bus.ts';
import { authCheckSubject, endedCredentialsSubject, operationSubject } from '#bus/subjects.ts';
import type { Agent, AgentRole } from '#contract/agent/agent.ts';
import type { ScheduledBackups } from '#contract/backup/scheduled-backups.ts';
import type { CreateAgentRequest } from '#contract/operations/create-agent.ts';
import type { IsolationSetting, Log } from '#contract/process-context.ts';
import { operations } from '#contract/table.ts';
import type { Workflow } from '#contract/workflow.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { builtIn } from '#machines/harness/table.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import { openStore, type Store } from '#store/store.ts';
import { type NatsFixture, natsFixture } from '#test/bus/nats-fixture.ts';
import { testAdmission } from '#test/bus/test-admission.ts';
import { testDatabase } from '#test/store/run-engine.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { isTaken } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type TestClock, testClock, testIds } from '#test/support/test-clock.ts';
import { steadyTimer, type Timer } from '#world/concurrency/timer.ts';
import type { Transport } from '#world/forge/forge-http.ts';
import { openLog } from '#world/log.ts';
import { SteadyClock } from '#world/steady-clock.ts';
import { FakeHost } from './fake-host.ts';

/** Who calls: the person, an agent by its id, or whoever holds a token. */
export type As = { readonly token: string } | { readonly agentId: string } | 'person';

/** A newly created resource, whose id and name are set. */
export type Made<R extends { id?: unknown; name?: unknown }> = R & { readonly id: string; readonly name: string };

/** A registry on a real database and a real bus, a host that a test plays, and calls as a gateway makes them. */
export interface RegistryFixture {
  readonly folder: TemporaryFolder;
  readonly database: TestDatabase;
  readonly clock: TestClock;
  /** The registries' own clocks, which follow `clock` if it is stepped. */
  readonly steadyClocks: readonly SteadyClock[];
  readonly nats: NatsFixture;
  /** The bus, connected as a gateway. */
  readonly gateway: Bus;
  readonly host: FakeHost;
  readonly store: Store;
  /** The registries that run, by their instances. */
  readonly instances: readonly string[];
  /** Calls an operation by its method's name. */
  call<T = Record<string, unknown>>(method: string, request?: object, as?: As): Promise<T>;
  /** Asks who holds a token. */
  describeHost(token: string): Promise<unknown>;
  /** Launches an agent into the first workflow. */
  create(request?: Partial<CreateAgentRequest>, as?: As): Promise<Made<Agent>>;
  /** Makes a workflow in the host's repository. */
  workflow(given?: Partial<Workflow>): Promise<Made<Workflow>>;
  /** The token of an agent that `create` made, or that has called. */
  tokenOf(agentId: string): string;
  /** A token of an existing agent; a new one if the previous one has ended. */
  tokenFor(agentId: string): Promise<string>;
  readonly operatorToken: string;
  /** Which of these tokens have ended. */
  endedOf(tokens: readonly string[]): Promise<readonly string[]>;
  /** Stops the registry and starts another one on the same file, after what is done between the two. */
  restart(between?: (file: string) => void): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  /** Prepares a database before the registry opens it. */
  readonly prepare?: (file: string) => void;
  /** Where the registry logs; nowhere if it is left out. */
  readonly log?: Log;
  /** What new workflows get; nothing, if it is left out. `begun`: what the installation began with. */
  readonly isolationSetting?: IsolationSetting | 'begun';
  readonly ceiling?: number;
  readonly launchQuota?: LaunchQuota;
  readonly factsKept?: FactRetention;
  readonly mailLimits?: MailLimits;
  readonly newHosts?: number;
  /** How long certificates of joined hosts are valid, in milliseconds. */
  readonly certificateMs?: number;
  /** What applies to hosts; by default they have no limits, and are lost as soon as they are silent. */
  readonly hostDefaults?: HostDefaults;
  /** The database; one of this run's engine, if it is left out. */
  readonly database?: TestDatabase;
  /**
   * What each registry waits for before it looks at the clock; nothing, if it is left out. `false` if it does not look,
   * because it did a moment ago.
   */
  readonly beforeClock?: (registry: number) => Promise<unknown>;
  /** Makes the scheduled backups of each registry; none are scheduled, if it is left out. */
  readonly backups?: (registry: number) => ScheduledBackups;
  /** How many registries share the database, if it can be shared; if it is left out, `usualRegistries`. */
  readonly registries?: number;
  /** What forges are dialled with, and the environment that their credentials may be found in. */
  readonly forgeTransport?: Transport;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The timer of a registry without peers: it announces itself once, so that a test can count writes. */
const whoNeverLooksAgain: Timer = {
  now: () => 0,
  sleep: (_ms, signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
};

const noLimits: HostDefaults = {
  patienceMs: 30_000,
  maxLaunches: Number.POSITIVE_INFINITY,
  maxSetups: Number.POSITIVE_INFINITY,
  minDiskFreeMib: 0,
};
const manyFacts: FactRetention = { days: 30, count: 100_000 };
const anyLaunches: LaunchQuota = { reserved: 0, perMinute: 10_000, atOnce: 10_000, archived: 10_000 };
const defaultMail: MailLimits = { perMinute: 120, hops: 8 };

/**
 * How many registries a test on a shared database has: two in a third of the files, which the turn of the run decides,
 * and one in the others, as one costs a third of a test. In soak it is always two.
 */
function usualRegistries(): number {
  return isTaken(process.env['MUSTER_TEST_FILE'] ?? '') ? 2 : 1;
}

/** Starts all of it; the host `hst_1` has beaten once, so the first workflow is there. */
export async function registryFixture(options: Options = {}): Promise<RegistryFixture> {
  const { ceiling = 64, factsKept = manyFacts, mailLimits = defaultMail, launchQuota = anyLaunches } = options;
  const folder = temporaryFolder('registry');
  const file = join(folder.path, 'muster.db');
  const database = options.database ?? (await testDatabase(folder.path, options.prepare));
  const clock = testClock();
  const nats = await natsFixture();
  const ids = testIds();
  const log = options.log ?? openLog({ name: 'registry', level: 'silent', folder: folder.path });
  const isAlone = options.registries === 1;
  const running: {
    readonly store: Store;
    readonly bus: Bus;
    readonly registry: Registry;
    readonly instance: string;
    readonly steady: SteadyClock;
  }[] = [];
  let first: string | undefined;
  const startOne = async (at: number): Promise<void> => {
    const steady = new SteadyClock(clock);
    const store = await openStore({ engine: database.engine(), clock: steady, viewOf, upgrades: snapshotUpgrades });
    const holder = holderOf(await store.write(installationOf), folder.path);
    const bus = await nats.join('registry', { log, installation: { id: () => holder.installation, holder } });
    const work = new WorkFigures();
    const peers = new Peers({ store, bus, holder, timer: isAlone ? whoNeverLooksAgain : steadyTimer(), log, work });
    await peers.join();
    const registry = await startRegistry({
      store,
      bus,
      holder,
      peers,
      clockOfDatabase: await clockOf(store, () => options.beforeClock?.(at)),
      work,
      onLost: () => {},
      clock: steady,
      ids,
      log,
      harnesses: builtIn,
      isolationSetting: options.isolationSetting === 'begun' ? undefined : (options.isolationSetting ?? 'none'),
      ceiling,
      launchQuota,
      own: { version: '0.1.0', protocol: 1 },
      hostDefaults: options.hostDefaults ?? noLimits,
      newHosts: options.newHosts ?? 256,
      admission: testAdmission(nats),
      ...(options.certificateMs !== undefined && { certificateMs: options.certificateMs }),
      factsKept,
      mailLimits,
      sender: notificationSender({ PATH: process.env['PATH'] ?? '' }),
      environment: { PATH: process.env['PATH'] ?? '', ...options.environment },
      ...(options.forgeTransport && { forgeTransport: options.forgeTransport }),
      stateFolder: folder.path,
      startedIn: '/repo',
      backups: options.backups?.(at),
      examine: async () => [{ name: 'git', outcome: 'ok', found: '2.50.0 at /usr/bin/git', mend: '' }],
    });
    running.push({ store, bus, registry, instance: holder.instance, steady });
  };
  const start = async (): Promise<void> => {
    await startOne(0);
    if (running[0]?.store.sharedTime === undefined) return;
    for (let at = 1; at < (options.registries ?? usualRegistries()); at += 1) await startOne(at);
  };
  const stop = async (): Promise<void> => {
    for (const { store, bus, registry } of running.splice(0)) {
      await registry.stop();
      await bus.close();
      await store.close();
    }
  };
  const firstStore = (): Store => {
    const [one] = running;
    if (one === undefined) throw new Error('no registry runs');
    return one.store;
  };
  await start();
  const gateway = await nats.join('gateway');
  const host = new FakeHost(await nats.join('host'), 'hst_1');
  host.now = () => clock.now();
  await host.start();
  const tokens = new Map<string, string>();
  const tokenFor = async (agentId: string): Promise<string> => {
    const known = tokens.get(agentId);
    const isGood = await firstStore().read(async ({ credentials }) => known && (await credentials.find(hashOf(known))));
    if (known !== undefined && isGood) return known;
    const made = await firstStore().write(({ credentials }) => issueToken(credentials, agentId, 'issued'));
    tokens.set(agentId, made);
    return made;
  };
  const operator = operatorToken(folder.path);
  const shownBy = async (as: As): Promise<string> => {
    if (as === 'person') return operator;
    return 'token' in as ? as.token : tokenFor(as.agentId);
  };
  const fixture: RegistryFixture = {
    folder,
    database,
    clock,
    nats,
    gateway,
    host,
    get store() {
      return firstStore();
    },
    get steadyClocks() {
      return running.map(({ steady }) => steady);
    },
    get instances() {
      return running.map(({ instance }) => instance);
    },
    async call<T>(method: string, request: object = {}, as: As = 'person'): Promise<T> {
      const row = operations.find((operation) => operation.method === method);
      if (row === undefined) throw new Error(`no operation ${method}`);
      const credential = hashOf(await shownBy(as));
      return (await gateway.request(operationSubject(row), { credential, request }, { timeoutMs: 60_000 })) as T;
    },
    describeHost: (token) => gateway.request(authCheckSubject, { credential: hashOf(token) }, { timeoutMs: 5_000 }),
    async create(request = {}, as = 'person') {
      first ??= (await firstWorkflow(fixture)).id;
      const workflowId = request.workflowId ?? first;
      const given = { prompt: 'Fix the login page', workflowId, ...request };
      const { agent } = await fixture.call<{ agent: Made<Agent> }>('CreateAgent', given, as);
      await tokenFor(agent.id);
      return agent;
    },
    async workflow(given = {}) {
      const request = { name: `flow ${ids.id('n')}`, cwd: '/repo', harness: 'claude', ...given };
      return (await fixture.call<{ workflow: Made<Workflow> }>('CreateWorkflow', request)).workflow;
    },
    tokenFor,
    tokenOf(agentId) {
      const known = tokens.get(agentId);
      if (known === undefined) throw new Error(`${agentId} has shown no token yet: await tokenFor`);
      return known;
    },
    operatorToken: operator,
    async endedOf(tokens) {
      const credentials = tokens.map(hashOf);
      const answer = await gateway.request(endedCredentialsSubject, { credentials }, { timeoutMs: 5_000 });
      const { ended } = answer as { readonly ended: readonly string[] };
      return tokens.filter((_token, at) => ended.includes(credentials[at] ?? ''));
    },
    async restart(between) {
      await stop();
      between?.(file);
      await start();
    },
    async close() {
      await stop();
      await nats.close();
      await database.drop();
      folder.remove();
    },
  };
  return fixture;
}

/** The clock of a shared database, in whose place the test's clock is: only its steps are read. */
async function clockOf(
  { sharedTime }: Store,
  before: () => Promise<unknown> | undefined,
): Promise<DatabaseClock | undefined> {
  if (sharedTime === undefined) return undefined;
  let { steps } = await sharedTime();
  return {
    measure: async () => {
      if ((await before()) === false) return false;
      ({ steps } = await sharedTime());
      return true;
    },
    steps: () => steps,
  };
}

/** The workflow that the first host's beat made. */
export async function firstWorkflow({ call }: Pick<RegistryFixture, 'call'>): Promise<Made<Workflow>> {
  const { workflows } = await call<{ workflows: Made<Workflow>[] }>('ListWorkflows', { pagination: { pageSize: 200 } });
  const found = workflows.find(({ name }) => name === 'default');
  if (found === undefined) throw new Error('there is no first workflow');
  return found;
}

/** The three roles that agents have. */
export const agentRoles = [
  'AGENT_ROLE_IMPLEMENTER',
  'AGENT_ROLE_REVIEWER',
  'AGENT_ROLE_ORCHESTRATOR',
] as const satisfies readonly AgentRole[];
