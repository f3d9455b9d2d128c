import { join } from 'node:path';
import { forgetInstallationSecret, operatorToken, writeOperatorToken } from '#actors/registry/access/agent-tokens.ts';
import { Callers } from '#actors/registry/access/callers.ts';
import { beginWithOperator } from '#actors/registry/access/operator-token.ts';
import { Sessions, sessionEndpoints } from '#actors/registry/access/sessions.ts';
import { EphemeralEvents } from '#actors/registry/fact/ephemeral-events.ts';
import { publishFacts } from '#actors/registry/fact/fact-hints.ts';
import { BeatBuffer } from '#actors/registry/host/beat/beat-buffer.ts';
import { resetSilence } from '#actors/registry/host/beat/host-beat.ts';
import { Rivals } from '#actors/registry/host/beat/rivals.ts';
import { UnresponsiveHosts } from '#actors/registry/host/beat/unresponsive-hosts.ts';
import { greetHosts, greetingEndpoints } from '#actors/registry/host/greeting.ts';
import { NewHosts } from '#actors/registry/host/new-hosts.ts';
import { isOnline } from '#actors/registry/host/online.ts';
import { Permits } from '#actors/registry/host/permits.ts';
import type { HostDefaults } from '#actors/registry/host/settings/host-limits.ts';
import { FollowedSteps } from '#actors/registry/kernel/followed-steps.ts';
import { LogLine } from '#actors/registry/kernel/log-line.ts';
import { Waiters } from '#actors/registry/kernel/waiters.ts';
import type { NotificationSender } from '#actors/registry/notify/notification-sender.ts';
import { startNotifier } from '#actors/registry/notify/notifier.ts';
import { startSchedules } from '#actors/registry/schedule/schedules.ts';
import type { WorkFigures } from '#actors/worker/work-figures.ts';
import type { Bus, RunningService } from '#bus/bus.ts';
import { HostLines } from '#bus/host-line/host-lines.ts';
import { registryServiceName } from '#bus/subjects.ts';
import type { ScheduledBackups } from '#contract/backup/scheduled-backups.ts';
import type { Clock, Ids } from '#contract/clock.ts';
import type { Failure } from '#contract/failure.ts';
import { Histogram, latenessBounds } from '#contract/histogram.ts';
import type { Check } from '#contract/host/check.ts';
import type { OwnVersion } from '#contract/host/host-checks.ts';
import type { BusAdmission } from '#contract/joining/bus-admission.ts';
import type { IsolationSetting, Log } from '#contract/process-context.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Store } from '#store/store.ts';
import { steadyTimer, type Timer } from '#world/concurrency/timer.ts';
import { secretCipher } from '#world/file/secret-cipher.ts';
import type { Transport } from '#world/forge/forge-http.ts';
import type { SteadyClock } from '#world/steady-clock.ts';
import { endTokens } from './access/end-tokens.ts';
import { areAnswering } from './approval/answer-lease.ts';
import { startApprovals } from './approval/approvals.ts';
import { checkApprovals } from './approval/check-approvals.ts';
import { noteRules } from './approval/note-rules.ts';
import { scheduleBackups } from './backup/backup-schedule.ts';
import { checkBackups } from './backup/backup-state.ts';
import { followBudgets } from './budget/follow-budgets.ts';
import { type DatabaseClock, timeKeeper } from './clock-steps.ts';
import { watchDeadlines } from './deadline-watch.ts';
import { ringForResult, updateDoorbell } from './doorbell/agent-bells.ts';
import { ConnectedForges } from './forge/connected-forges.ts';
import { startSweeps } from './forge/sweeps.ts';
import { handlers } from './handlers.ts';
import { Health } from './health.ts';
import { pauseIfHostLost } from './host/away.ts';
import { hostEndpoints } from './host-service.ts';
import { joinEndpoints } from './joining/join-endpoints.ts';
import { refuseRemoved } from './joining/refuse-removed.ts';
import { followQueue } from './launch/follow-queue.ts';
import { startLaunchQueue } from './launch/launch-queue.ts';
import type { LaunchQuota } from './launch/quota.ts';
import { followBoot } from './lifecycle/follow-boot.ts';
import { startRestoreQueue } from './lifecycle/restore-queue.ts';
import { followLimits } from './limit/follow-limits.ts';
import type { MailLimits } from './mail/mail-scope.ts';
import { followMove } from './move/follow-move.ts';
import { followParents } from './move/follow-parent.ts';
import { keepRounds } from './move/round-packages.ts';
import { credentialEndpoints, operationEndpoints } from './operation-service.ts';
import { claimBus, leaseEndpoint } from './peer/bus-claim.ts';
import { placeInBrief } from './peer/holder.ts';
import { PeerHints } from './peer/peer-hints.ts';
import type { Peers } from './peer/peers.ts';
import { announcePresence } from './peer/presence.ts';
import { pruneOld } from './pruning.ts';
import type { FactRetention, RegistryScope } from './registry-scope.ts';
import { applyRestore } from './restored.ts';
import { forgetWithAgent } from './review/forget.ts';
import { ReviewStatuses } from './review/review-statuses.ts';
import { briefingsIn } from './review/role-briefings.ts';
import { followArchivePolicies } from './room/archive-policy.ts';
import { measureWorktrees } from './room/worktree-sizes.ts';
import { QuestionHints } from './roster/question-hints.ts';
import { FirstWorkflow } from './workflow/first-workflow.ts';

export interface RegistryOptions {
  readonly store: Store;
  readonly bus: Bus;
  /** How this registry identifies itself to hosts, gateways and other registries. */
  readonly holder: RegistryHolder;
  /** The registries that share its database; this one has joined them. */
  readonly peers: Peers;
  /** The clock of a shared database. */
  readonly clockOfDatabase?: DatabaseClock | undefined;
  /** Called when an older registry turns out to have the bus: this one must stop. */
  readonly onLost: (why: Failure) => void;
  readonly clock: SteadyClock;
  /** The hosts' own time, in milliseconds, by a clock that never steps; by default `clock`. */
  readonly hostTime?: (() => number) | undefined;
  /** Counts what pollers and workers do. */
  readonly work: WorkFigures;
  /** Measures pauses and leases; by default a clock that never steps. */
  readonly timer?: Timer | undefined;
  readonly ids: Ids;
  readonly log: Log;
  /** The built-in harnesses, which every host of this version has. */
  readonly harnesses: Harnesses;
  /** What isolates agents of new workflows, if a person has set it. */
  readonly isolationSetting: IsolationSetting | undefined;
  /** How many agents may exist, not counting archived ones. */
  readonly ceiling: number;
  readonly launchQuota: LaunchQuota;
  /** The version that it runs and speaks. */
  readonly own: OwnVersion;
  /** The defaults for hosts without settings of their own. */
  readonly hostDefaults: HostDefaults;
  /** How many unadmitted hosts may exist. */
  readonly newHosts: number;
  /** Admits hosts to the bus. */
  readonly admission: BusAdmission;
  /** How long certificates of joined hosts are valid, in milliseconds; a day, if it is left out. */
  readonly certificateMs?: number;
  readonly factsKept: FactRetention;
  readonly mailLimits: MailLimits;
  /** Sends notifications to people. */
  readonly sender: NotificationSender;
  /** The environment of the programs that the registry runs. Credentials of forges may be in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The HTTP transport to forges; `fetch` by default. */
  readonly forgeTransport?: Transport | undefined;
  /** Holds the operator's token, and the keys that secrets are sealed with. */
  readonly stateFolder: string;
  /** The working directory, for which the first workflow is made. */
  readonly startedIn: string;
  /** Makes the scheduled backups; undefined if there are none. */
  readonly backups?: ScheduledBackups | undefined;
  /** Checks what the registry needs on its machine. */
  readonly examine: () => Promise<Check[]>;
}

/** A day in milliseconds. */
const day = 24 * 60 * 60_000;

/** What modules add to the facts of each commit of an agent, in this order. */
const completions = [noteRules];

/** What modules write with each commit of an agent, in this order. */
const consequences = [
  endTokens,
  ringForResult,
  followMove,
  pauseIfHostLost,
  updateDoorbell,
  followLimits,
  followBoot,
  followQueue,
  forgetWithAgent,
  followBudgets,
];

/** A running registry. */
export interface Registry {
  /** Accepts no more calls, and resolves once those in progress have ended. May be called twice. */
  stop(): Promise<void>;
}

/** Starts the registry: it serves operations and hosts, publishes facts, fires deadlines, and runs background work. */
export async function startRegistry({
  stateFolder,
  environment,
  forgeTransport,
  onLost,
  startedIn,
  peers,
  clockOfDatabase,
  ...options
}: RegistryOptions): Promise<Registry> {
  const { logLine, online } = await options.store.write(async (tables) => {
    const hasPeers = peers.others.length > 0;
    await beginWithOperator(tables, operatorToken(stateFolder), { isShared: peers.isShared, hasPeers });
    // Hosts have reported to the others meanwhile.
    if (!hasPeers) await resetSilence(tables, options.clock.now());
    const online = (await tables.hosts.all()).filter(isOnline).map(({ id }) => id);
    return { logLine: await LogLine.begin(tables, options.ids.uuid()), online };
  });
  const steadyTime: Clock = { now: () => options.clock.monotonic() };
  const hints = new PeerHints({ ...options, isShared: peers.isShared });
  const waiters = new Waiters(steadyTime, hints);
  const lines = new HostLines(options.bus, options.hostTime ?? steadyTime.now, options.holder.instance);
  const permits = new Permits(lines.now, options.holder.instance);
  const reviewStatuses = new ReviewStatuses({ ...options, lines, waiters, completions, consequences });
  const base = { certificateMs: day, ...options, timer: options.timer ?? steadyTimer() };
  const beatBuffer = new BeatBuffer({ ...base, hints }, online);
  const counted = { ...base, peers, hints, beatBuffer, lateness: new Histogram(latenessBounds) };
  const health = new Health(counted);
  const firstWorkflow = new FirstWorkflow({ ...options, lines }, startedIn);
  const scope: RegistryScope = {
    ...counted,
    areAnswering,
    questionHints: new QuestionHints(options.bus),
    clockSteps: new FollowedSteps(clockOfDatabase?.steps() ?? 0),
    examine: async () => [await checkBackups(base), await checkApprovals(base), ...(await options.examine())],
    logLine,
    lines,
    completions,
    consequences,
    onBeat: (host) => firstWorkflow.ensure(host),
    rivals: new Rivals(options.clock, hints),
    unresponsiveHosts: new UnresponsiveHosts(options.clock, hints, lines),
    newHosts: new NewHosts(options.newHosts, steadyTime),
    permits,
    probeDatabase: () => health.ready(),
    replaceOperatorToken(token) {
      const before = operatorToken(stateFolder);
      writeOperatorToken(stateFolder, token);
      return before;
    },
    sessions: new Sessions(options.store, options.clock, options.ids),
    waiters,
    ephemeralEvents: new EphemeralEvents({ ...options, hints }),
    reviewStatuses,
    ...forgesOf(options, { stateFolder, environment, forgeTransport }),
    briefings: briefingsIn(join(stateFolder, 'briefings')),
  };
  forgetInstallationSecret(stateFolder);
  await applyRestore(scope, scope.holder.installation);
  const stopPublishing = publishFacts(scope);
  const served = await serveAll(scope, { callers: new Callers(scope.store, scope.clock), permits, health });
  const presence = announcePresence(scope);
  const claim = claimBus({ bus: scope.bus, own: scope.holder, peers, onLost, log: scope.log });
  peers.start(onLost);
  await greetHosts(scope);
  const keepTime = timeKeeper(scope, options.clock, clockOfDatabase);
  const deadlines = watchDeadlines(scope, keepTime);
  const notifier = await startNotifier(scope);
  const working = [
    startSchedules(scope, keepTime),
    startApprovals(scope),
    startLaunchQueue(scope),
    startRestoreQueue(scope),
    startSweeps(scope),
    refuseRemoved(scope),
    keepRounds(scope, peers),
    followParents(scope),
    pruneOld(scope, peers),
    measureWorktrees(scope, peers),
    followArchivePolicies(scope, peers),
    scheduleBackups({ ...scope, peers }),
    scope.questionHints,
  ];
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    claim.stop();
    const { beatBuffer } = scope;
    const services = [presence, served, peers, ...working, deadlines, notifier, reviewStatuses, beatBuffer];
    for (const service of services) await service.stop();
    stopPublishing();
    health.stop();
  };
  return { stop: () => (stopping ??= stop()) };
}

/** The connected forges, and the cipher for their stored credentials and the secrets of profiles. */
function forgesOf(
  { store, clock }: Pick<RegistryOptions, 'store' | 'clock'>,
  { stateFolder, environment, forgeTransport }: Pick<RegistryOptions, 'stateFolder' | 'environment' | 'forgeTransport'>,
): Pick<RegistryScope, 'forges' | 'sealing'> {
  const sealing = secretCipher(join(stateFolder, 'forge.key'));
  const transport = forgeTransport && { transport: forgeTransport };
  return { sealing, forges: new ConnectedForges({ store, clock, sealing, environment, ...transport }) };
}

/** The services that answer calls in addition to the modules. */
interface CallScope {
  readonly callers: Callers;
  readonly permits: Permits;
  readonly health: Health;
}

/** Starts to answer gateways, hosts and other registries. */
function serveAll(scope: RegistryScope, { callers, permits, health }: CallScope): Promise<RunningService> {
  return scope.bus.serve({
    name: registryServiceName,
    version: '1.0.0',
    description: 'Owns the database and decides',
    metadata: placeInBrief(scope.holder),
    calledAs: scope.holder.instance,
    endpoints: [
      ...operationEndpoints(handlers, { callers, scope, permits }),
      ...credentialEndpoints(callers),
      ...sessionEndpoints(scope.sessions),
      ...hostEndpoints(scope, permits),
      ...greetingEndpoints(scope),
      ...joinEndpoints(scope),
      ...health.endpoints,
      leaseEndpoint(scope.holder),
    ],
  });
}
