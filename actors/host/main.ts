import { join } from 'node:path';
import type { Observe } from '#actors/host/agent/moment.ts';
import { type RegistryClient, registryClient } from '#actors/host/agent/registry-journal.ts';
import { retryUntilAccepted } from '#actors/host/agent/retry.ts';
import { performersOf } from '#actors/host/effects/performers.ts';
import type { Isolation } from '#actors/host/isolation/isolation.ts';
import { openIsolation } from '#actors/host/isolation/open-isolation.ts';
import { subjectOf } from '#actors/host/isolation/sandbox-spec.ts';
import { SandboxTrials } from '#actors/host/isolation/sandbox-trials.ts';
import { Departures } from '#actors/host/move/departures.ts';
import { MoveRequests } from '#actors/host/move/move-requests.ts';
import { HarnessCatalogue } from '#actors/host/reading/harness-catalogue.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import { ReviewRequests } from '#actors/host/review/review-requests.ts';
import { RoomRequests } from '#actors/host/room/room-requests.ts';
import { HostProfiles, type HostProfilesOptions } from '#actors/host/secret/host-profiles.ts';
import { KnownSecrets } from '#actors/host/secret/known-secrets.ts';
import { Redactor } from '#actors/host/secret/redactor.ts';
import { CertificateRenewal } from '#actors/host/serve/certificate-renewal.ts';
import { conditionOf } from '#actors/host/serve/condition.ts';
import { GatewayWatch } from '#actors/host/serve/gateway-watch.ts';
import { GrowingPath } from '#actors/host/serve/growing-path.ts';
import { certifiedHostId, hostKey } from '#actors/host/serve/identity.ts';
import { LaunchRequests } from '#actors/host/serve/launch-requests.ts';
import { DoorbellSender } from '#actors/host/typing/doorbell-sender.ts';
import { InputDriver } from '#actors/host/typing/input-driver.ts';
import { BaseWatch } from '#actors/host/watch/base-watch.ts';
import { Inspector } from '#actors/host/watch/inspector.ts';
import { PaneHints } from '#actors/host/watch/pane-hints.ts';
import { SetupTrials, type SetupTrialsOptions } from '#actors/host/workflow/setup-trials.ts';
import type { Bus } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import { openHostLine } from '#bus/host-line/host-line.ts';
import { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import type { Config, Log, ProcessContext } from '#contract/process-context.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { bootId } from '#world/boot-id.ts';
import { computerName } from '#world/computer-name.ts';
import { steadyTimer, systemTimer } from '#world/concurrency/timer.ts';
import { PackageFolder } from '#world/file/package/package-folder.ts';
import { readSecretFile } from '#world/file/private-file.ts';
import { ThrowawayWorktrees } from '#world/git/worktree/throwaway-worktrees.ts';
import { holderOf } from '#world/holder.ts';
import { probeGateway } from '#world/net/gateway-probe.ts';
import { PortBlocks } from '#world/net/port-blocks.ts';
import { agentEnvironment } from '#world/process/environment.ts';
import { keepScratchIn, sweepScratch } from '#world/process/scratch.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { Handovers } from '#world/terminal/handover.ts';
import { chooseTerminal, type TerminalChoice } from '#world/terminal-choice.ts';
import { openTerminals } from '#world/terminals.ts';
import { serveCalls } from './calls.ts';
import { Host } from './host.ts';

/** Runs a host until it is stopped. `observe` is called with every moment of its actors, before they continue. */
export async function runHost(context: ProcessContext, observe: Observe = () => {}): Promise<void> {
  const { config, log, tracer } = context;
  const folders = foldersIn(config.home);
  const { worktrees } = folders;
  const path = new GrowingPath({ own: process.env, home: config.home, log, onGrown: () => host.beatNow() });
  const { environment } = path;
  const choice = await chooseTerminal(config.terminal);
  const { bus, renewal } = await joinBus(context);
  const held: HostSlot = {};
  const { id, line, installation, confirmed, ...joined } = await joinRegistry(context, { bus, renewal }, held);
  const { registry, ...given } = await openGiven(config.home, { ...joined, environment, log });
  const terminals = await openTerminals(choice, {
    runDir: join(config.home, 'run'),
    environment: agentEnvironment(environment, config.agentVariables),
    installation,
    log: (message, fields) => log.warn(fields ?? {}, message),
  });
  await prepareScratch(join(config.home, 'tmp'), log);
  const harnesses = await HarnessCatalogue.open({ folder: join(config.home, 'rules'), builtIn, log, confirmed });
  const observePane = paneObserver(harnesses, (screens) => harnesses.refuse(screens), given.redactor);
  const actor = (agentId: string) => host.actor(agentId);
  const atPanes = { actor, terminals, harnesses, observePane, registry, clock: systemTimer };
  const gateway = watchGateway(context);
  const recordedWith = () => recordedOn(harnesses, path.look());
  const inputDriver = new InputDriver({ ...atPanes, questionMs: (id, screen) => host.questionMs(id, screen) });
  const inspector = new Inspector({ ...atPanes, checkedReading: (agentId) => host.checkedReading(agentId) });
  const paneHints = new PaneHints({ hostId: id, actor, terminals, bus, clock: systemTimer });
  const unchangedMs = (agentId: string, digest: string) => host.unchangedMs(agentId, digest);
  const doorbellSender = new DoorbellSender({ ...atPanes, unchangedMs, log });
  context.onStop(() => [harnesses, inputDriver, doorbellSender, paneHints].forEach((one) => void one.stop()));
  const programs = () => path.programs;
  const isolation = openIsolation(context, { folders, environment, harnesses, programs, actor });
  const scripts = { environment, variables: config.agentVariables, harnesses, isolation, ...given };
  const boot = bootId();
  const host: Host = new Host({
    id,
    name: computerName(),
    found: () => foundOn(harnesses, path.look()),
    coding: () => codingIn(harnesses),
    onConfirmed: (confirmed) => harnesses.setConfirmed(confirmed),
    condition: conditionOf(context, { worktrees, gateway, recordedWith, tmuxFault: tmuxFaultOf(choice, config) }),
    observePane,
    bus,
    registry,
    terminals,
    performers: performersOf({
      ...{ ...scripts, ...folders, terminals, observePane, programs, registry, inputDriver, log },
      baseUrl: config.baseUrl,
      boot,
      clock: systemTimer,
    }),
    boot: boot || undefined,
    clock: steadyTimer(),
    fileClock: systemTimer,
    log,
    tracer,
    observe,
    doorbellSender,
    limits: isolation.limits,
    departures: new Departures({ ...folders, ...scripts, terminals, registry, observe, log }),
    onRecord: (record) => isolation.keep(subjectOf(record)),
    onGone: (record) => [reviews.forget(record), isolation.remove(record)],
    onActorRemoved: (agentId) =>
      [doorbellSender, paneHints, isolation, given.profiles].forEach((one) => void one.forget(agentId)),
  });
  held.host = host;
  harnesses.onChange(() => host.beatNow());
  context.onStop(() => host.stop());
  const bases = new BaseWatch({ report: (agentId) => registry.baseMoved(agentId), clock: systemTimer, log });
  context.onStop(() => bases.stop());
  const recordOf = async (agentId: string) => host.actor(agentId)?.record ?? registry.load(agentId);
  const reviews = new ReviewRequests({ recordOf, asking: { registry, clock: systemTimer }, bases });
  const trials = await openTrials(context, { worktrees, ...scripts });
  const moves = new MoveRequests({ ...folders, ...scripts, recordOf, programs });
  const room = new RoomRequests({ recordOf: (agentId) => registry.load(agentId), worktrees });
  const sandboxes = new SandboxTrials({ ...scripts, programs });
  const asked = { line, host, terminals, inputDriver, inspector, paneHints, reviews, trials, moves, room, sandboxes };
  const examine = () => examineHost(context, { host, gateway, isolation, renewal });
  const launches = new LaunchRequests({ rules: harnesses, refresh: () => host.beat() });
  const calls = await serveCalls({ ...asked, launches, examine, redactor: given.redactor, stateFolder: config.home });
  context.onStop(() => calls.stop());
  await host.start();
  bases.start();
  context.ready();
}

/** The folders of a host's state folder that belong to agents. */
function foldersIn(home: string) {
  return {
    worktrees: join(home, 'worktrees'),
    packages: new PackageFolder(join(home, 'moves')),
    repositories: join(home, 'repositories'),
    sandboxes: join(home, 'sandboxes'),
    settings: join(home, 'settings'),
    leftovers: join(home, 'leftovers'),
  };
}

/** The dependencies of trials of setup scripts. */
type TrialHome = Omit<SetupTrialsOptions, 'variables' | 'worktrees' | 'clock' | 'log'> & { readonly worktrees: string };

/** The profiles and ports of agents. Removes handovers that an earlier process left. */
async function openGiven(
  home: string,
  options: Pick<HostProfilesOptions, 'environment' | 'log'> & { readonly registry: RegistryClient },
) {
  const handovers = new Handovers(join(home, 'handovers'));
  await handovers.sweep();
  const known = new KnownSecrets();
  known.add('operator', [readSecretFile(join(home, 'operator.token'))?.trim() ?? '']);
  const profiles = new HostProfiles({ ...options, known });
  const registry: RegistryClient = {
    ...options.registry,
    changes: async (hostId, cursor) => {
      const found = await options.registry.changes(hostId, cursor);
      // This comes before any of their panes is recorded.
      await profiles.recall(found.agents);
      return found;
    },
  };
  const ports = new PortBlocks(join(home, 'ports.json'), foldersIn(home).worktrees);
  return { registry, ports, profiles, handovers, redactor: new Redactor(known) };
}

/** Opens the trials of setup scripts, after removing the worktrees that an earlier process left. */
async function openTrials(
  { config, log, onStop }: ProcessContext,
  { worktrees, ...home }: TrialHome,
): Promise<SetupTrials> {
  const folders = { worktrees: join(worktrees, 'trials'), notes: join(config.home, 'trials') };
  const throwaway = new ThrowawayWorktrees(folders);
  const left = await throwaway.sweep();
  if (left.length > 0) log.warn({ left }, 'worktrees of tried setup scripts cannot be removed');
  const trials = new SetupTrials({
    ...home,
    variables: config.agentVariables,
    worktrees: throwaway,
    clock: systemTimer,
    log,
  });
  onStop(() => trials.close());
  return trials;
}

/** Checks all requirements of a host. */
async function examineHost(
  context: ProcessContext,
  parts: {
    readonly host: Host;
    readonly gateway: GatewayWatch;
    readonly isolation: Isolation;
    readonly renewal: CertificateRenewal | undefined;
  },
): Promise<Check[]> {
  const { host, gateway, isolation, renewal } = parts;
  const own = await context.examine();
  return [
    ...own,
    await host.checkTerminals(),
    await gateway.check(),
    ...(await isolation.checks()),
    ...(renewal?.checks() ?? []),
  ];
}

/** The bus, and the renewal of the certificates with which this host joins it; undefined if they never expire. */
interface BusAndRenewal {
  readonly bus: Bus;
  readonly renewal: CertificateRenewal | undefined;
}

/** The renewal of the certificates of a host that joined by invitation; undefined for any other. */
function certificateRenewal({ certificates, log, giveUp, onStop }: ProcessContext): CertificateRenewal | undefined {
  if (certificates === undefined) return undefined;
  const renewal = new CertificateRenewal({ certificates, clock: systemTimer, log, onEnded: giveUp });
  onStop(() => renewal.stop());
  return renewal;
}

/** Joins the bus. A host whose certificates have expired or are refused requests new ones first. */
async function joinBus(context: ProcessContext): Promise<BusAndRenewal> {
  const renewal = certificateRenewal(context);
  const { log, tracer, busUrl: url, busMember: member, busCredential: credential, busAuthority: authority } = context;
  const onRefused = () => renewal?.refused();
  const connect = () => connectBus({ url, member, credential, authority, name: 'host', log, tracer, onRefused });
  await renewal?.prepare();
  const bus = await connect().catch(async (error: unknown) => {
    if (renewal === undefined || !(error instanceof Failure) || !error.isFor('BUS_CREDENTIAL_REFUSED')) throw error;
    await renewal.renewByProof();
    return connect();
  });
  context.onStop(() => bus.close());
  return { bus, renewal };
}

/** Why tmux cannot hold panes, so that the host does; undefined if tmux holds them, or a person chose the host. */
function tmuxFaultOf(choice: TerminalChoice, { terminal }: Pick<Config, 'terminal'>): string | undefined {
  return choice.kind === 'embedded' && terminal !== 'embedded' ? choice.why : undefined;
}

/** Starts probing the gateway's address that its agents are given. */
function watchGateway({ config, log, onStop }: ProcessContext): GatewayWatch {
  const gateway = new GatewayWatch({ url: config.baseUrl, probe: probeGateway, clock: systemTimer, log });
  onStop(() => gateway.stop());
  gateway.start();
  return gateway;
}

/** Names of the harnesses whose CLI is on a PATH. */
function foundOn(harnesses: HarnessCatalogue, programs: string): string[] {
  const found = harnesses
    .all()
    .filter(({ command, isUnconfirmed }) => !isUnconfirmed && findProgram(command, programs));
  return found.map(({ name }) => name);
}

/** By harness whose CLI is on a PATH, the CLI version that its rules were recorded with, if known. */
function recordedOn(harnesses: HarnessCatalogue, programs: string): Record<string, string> {
  const recorded = foundOn(harnesses, programs).map((name) => [name, harnesses.find(name)?.recordedWith] as const);
  return Object.fromEntries(recorded.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Names of the coding agents that are not built in. */
function codingIn(harnesses: Harnesses): string[] {
  const own = harnesses.all().filter(({ name, codingAgent }) => codingAgent && builtIn.find(name) === undefined);
  return own.map(({ name }) => name);
}

async function prepareScratch(folder: string, log: Log): Promise<void> {
  keepScratchIn(folder);
  const names = await sweepScratch(folder);
  if (names.length > 0) log.warn({ folder, names }, 'leftovers of the last run cannot be removed');
}

/** The host, once there is one. */
interface HostSlot {
  host?: Host;
}

/** Connects to the registry, and waits until it accepts this host. */
async function joinRegistry(context: ProcessContext, { bus, renewal }: BusAndRenewal, held: HostSlot) {
  const { config, log, onStop, ready, installation: own } = context;
  const id = certifiedHostId(config.home, context.busMember.hostId);
  const line = openHostLine(bus, id, hostKey(config.home), {
    monotonic: systemTimer.monotonic,
    log,
    installation: own,
    holder: holderOf(config.home),
    cursor: () => held.host?.cursor ?? '',
    onLogReplaced: () => held.host?.reload(),
  });
  onStop(() => line.close());
  const registry = registryClient(line);
  renewal?.start(registry);
  const starting = new AbortController();
  onStop(() => starting.abort());
  const ask = () => registry.families([]);
  const { installation, confirmed } = await retryUntilAccepted(systemTimer, starting.signal, ask, (refusal) => {
    if (refusal.isFor('HOST_REMOVED')) renewal?.refused();
    log.error({ err: refusal }, 'the registry refuses this host, which waits until that is fixed');
    // Let the rest of the installation start: a person needs it to fix this.
    ready({ refusal: refusal.message });
  });
  own.keep(installation);
  return { id, line, registry, installation, confirmed };
}
