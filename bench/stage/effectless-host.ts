import type { Performer } from '#actors/host/agent/performer.ts';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { serveCalls } from '#actors/host/calls.ts';
import { Host } from '#actors/host/host.ts';
import { MoveRequests } from '#actors/host/move/move-requests.ts';
import { paneObserver } from '#actors/host/reading/observation.ts';
import { ReviewRequests } from '#actors/host/review/review-requests.ts';
import { RoomRequests } from '#actors/host/room/room-requests.ts';
import { HostProfiles } from '#actors/host/secret/host-profiles.ts';
import { KnownSecrets } from '#actors/host/secret/known-secrets.ts';
import { Redactor } from '#actors/host/secret/redactor.ts';
import { conditionOf } from '#actors/host/serve/condition.ts';
import { InputDriver } from '#actors/host/typing/input-driver.ts';
import { Inspector } from '#actors/host/watch/inspector.ts';
import { PaneHints } from '#actors/host/watch/pane-hints.ts';
import { SetupTrials } from '#actors/host/workflow/setup-trials.ts';
import { connectBus } from '#bus/connection.ts';
import { openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import type { ProcessContext } from '#contract/process-context.ts';
import { builtIn } from '#machines/harness/table.ts';
import { noIsolation } from '#test/support/no-isolation.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { PackageFolder } from '#world/file/package/package-folder.ts';
import { ThrowawayWorktrees } from '#world/git/worktree/throwaway-worktrees.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { seededHost } from './seed.ts';

const never: Performer = {
  step: undefined,
  perform: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
};

/**
 * A host that takes over its agents like muster's own, but performs no effects. The caller starts it; it stops with the
 * process.
 */
export async function effectlessHost(context: ProcessContext, terminals: Terminals): Promise<Host> {
  const { busUrl: url, busMember: member, busCredential: credential, log, onStop } = context;
  const bus = await connectBus({ url, member, credential, log });
  onStop(() => bus.close());
  const observePane = paneObserver(builtIn);
  const line = openHostLine(bus, seededHost.id, makeKeyPair(), { monotonic: systemTimer.monotonic, log });
  const registry = registryClient(line);
  const host: Host = new Host({
    id: seededHost.id,
    name: seededHost.name,
    found: () => seededHost.harnesses,
    condition: conditionOf(context, {
      worktrees: context.config.home,
      recordedWith: () => ({}),
      gateway: { reach: { url: context.config.baseUrl } },
    }),
    onConfirmed: async () => {},
    observePane,
    bus,
    registry,
    terminals,
    performers: { provisionWorktree: never, openWindow: never },
    clock: systemTimer,
    log,
    observe: () => undefined,
    doorbellSender: { check() {} },
  });
  onStop(() => host.stop());
  const actor = (agentId: string) => host.actor(agentId);
  const atPanes = { actor, terminals, harnesses: { ...builtIn, files: [] }, observePane, registry, clock: systemTimer };
  const inputDriver = new InputDriver({ ...atPanes, questionMs: () => 0 });
  const inspector = new Inspector({ ...atPanes, checkedReading: () => undefined });
  const reviews = new ReviewRequests({ recordOf: registry.load, asking: { registry, clock: systemTimer } });
  const launches = { list: async () => ({ launches: [] }), checks: () => [] };
  const paneHints = new PaneHints({ hostId: seededHost.id, actor, terminals, bus, clock: systemTimer });
  const folder = context.config.home;
  const known = new KnownSecrets();
  const redactor = new Redactor(known);
  const ports = { variables: async () => ({}) };
  const profiles = new HostProfiles({ registry, environment: {}, known, log });
  const trials = new SetupTrials({
    ...{ environment: {}, variables: [], harnesses: builtIn, isolation: noIsolation },
    ...{ profiles, redactor, ports, clock: systemTimer, log },
    worktrees: new ThrowawayWorktrees({ worktrees: folder, notes: folder }),
  });
  const home = { environment: {}, variables: [], harnesses: builtIn, profiles, programs: () => '' };
  const folders = { packages: new PackageFolder(folder), worktrees: folder, repositories: folder, sandboxes: folder };
  const moves = new MoveRequests({ ...home, ...folders, recordOf: registry.load });
  const room = new RoomRequests({ recordOf: registry.load, worktrees: folder });
  const asked = {
    line,
    host,
    terminals,
    inputDriver,
    inspector,
    paneHints,
    reviews,
    trials,
    launches,
    moves,
    room,
    redactor,
    sandboxes: { fault: async () => undefined },
  };
  await serveCalls({ ...asked, examine: async () => [], stateFolder: '/state' });
  return host;
}
