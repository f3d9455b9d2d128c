import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import { Failure } from '#contract/failure.ts';

/** Data of a machine instance in addition to its snapshot. */
interface UpgradeSource {
  /** The directory that an agent was launched into. */
  readonly cwd?: string | undefined;
}

type Context = Readonly<Record<string, unknown>>;
type Step = (context: Context, value: unknown, source: UpgradeSource) => Context;

/**
 * By machine: the step at place n makes a context of version n + 1 out of one of version n. A released step is never
 * changed. It leaves upgraded data alone, because hosts of older versions commit without a version.
 */
const steps: Readonly<Record<string, readonly Step[]>> = {
  agent: [withFirstName, withArchived, withRepository, withScripts, withTurns],
};

/** The current version of a machine's snapshots; 0 if they never changed. */
function snapshotVersion(machine: string): number {
  return steps[machine]?.length ?? 0;
}

/**
 * Upgrades a snapshot from any version to the current one.
 * @throws FAILED_PRECONDITION when a newer muster wrote it
 */
function upgradeSnapshot(machine: string, snapshot: StoredSnapshot, source: UpgradeSource): StoredSnapshot {
  const { version = 0, value } = snapshot;
  const current = snapshotVersion(machine);
  if (version === current) return snapshot;
  if (version > current) {
    throw new Failure(
      'NEWER_VERSION_REQUIRED',
      `A snapshot of ${machine} has version ${version}, but this version of muster reads up to ${current}: run the newer version that wrote it`,
    );
  }
  let context = fieldsOf(machine, snapshot);
  for (const step of steps[machine]?.slice(version) ?? []) context = step(context, value, source);
  return { value, context, version: current };
}

/** The versions of all machines' snapshots, for the store. */
export const snapshotUpgrades = { versionOf: snapshotVersion, upgrade: upgradeSnapshot };

function fieldsOf(machine: string, { context }: StoredSnapshot): Context {
  if (isContext(context)) return context;
  throw new Failure('DATABASE_DAMAGED', `A snapshot of ${machine} has no context`);
}

function isContext(context: unknown): context is Context {
  return typeof context === 'object' && context !== null;
}

/** Adds the name with which the agent was created, after which worktrees are named. */
function withFirstName(context: Context): Context {
  return { ...context, firstName: context['firstName'] ?? context['name'] };
}

/** Adds whether the agent is archived. Before, only its phase showed that. */
function withArchived(context: Context, value: unknown): Context {
  return { ...context, archived: context['archived'] ?? (value === 'archiving' || value === 'archived') };
}

/** Adds the repository of a worktree. Before, it was found from the directory into which the agent was launched. */
function withRepository(context: Context, _value: unknown, { cwd }: UpgradeSource): Context {
  const worktree = context['worktree'] as Context | undefined;
  if (worktree === undefined) return context;
  return { ...context, worktree: { ...worktree, repository: worktree['repository'] ?? cwd ?? worktree['path'] } };
}

/** Replaces two flags by a list of the scripts' names. */
function withScripts({ hasSetup, hasTeardown, ...context }: Context): Context {
  const scripts = [...(hasSetup === true ? ['setup'] : []), ...(hasTeardown === true ? ['teardown'] : [])];
  return { ...context, scripts: context['scripts'] ?? scripts };
}

/** Adds the number of finished turns, which is unknown for agents that had already been briefed. */
function withTurns(context: Context): Context {
  return context['turns'] === undefined && context['briefed'] !== true ? { ...context, turns: 0 } : context;
}
