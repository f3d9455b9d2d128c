import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord, Launch } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { type IsolatedNeeds, placeIn } from '#machines/harness/isolated/needs.ts';
import type { SandboxSpec } from '#world/isolation/bubblewrap.ts';
import { directoryMounts, ownWorktreeMounts } from '#world/isolation/git-mounts.ts';
import { type Mount, realPath, shownAt, shownOfSystem } from '#world/isolation/mount.ts';
import {
  type HomeOrder,
  homeMounts,
  type LoginPaths,
  loginPaths,
  type PrivateFolder,
  passingHome,
  privateFolderOf,
} from '#world/isolation/private-home.ts';
import { secretsIn } from '#world/isolation/secret-names.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import { isWithin } from '#world/within.ts';
import { type AgentNetwork, socketsInside } from './agent-networks.ts';
import { granted } from './granted-mounts.ts';
import { gitVariables, pathOf, promptOf, proxyVariables } from './sandbox-variables.ts';

/** The folders of a host that a sandbox is made from. */
export interface HostFolders {
  /** The state folder, of which nothing is shown but what is named below. */
  readonly stateFolder: string;
  readonly worktrees: string;
  /** The private folders of isolated agents. */
  readonly sandboxes: string;
  /** The folder of settings files that muster writes for CLIs. */
  readonly settings: string;
}

/** A program that an isolated agent's host starts for it. */
export interface IsolatedProgram {
  readonly cwd: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Paths of programs outside the PATH that it needs. */
  readonly programs: readonly string[];
  readonly needs: IsolatedNeeds | undefined;
  /** Whether the agent may be running meanwhile. Then the program gets a new, empty home. */
  readonly isBeside: boolean;
}

/** Variables that name files with certificates of authorities. */
const authorities = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
];

/** Whose programs are isolated: an agent, or the trial of a workflow. */
export interface IsolatedSubject {
  readonly id: string;
  /** The root of its family. */
  readonly family: string;
  /** Its own worktree, if it has one. */
  readonly worktree: string | undefined;
  readonly launch: Pick<Launch, 'isolation' | 'grants' | 'harness' | 'cwd'>;
}

/** An agent as the subject of isolation. */
export function subjectOf({ id, family, launch, snapshot }: AgentRecord): IsolatedSubject {
  return { id, family, launch, worktree: readAgentContext(snapshot).worktree?.path };
}

/** The prefix of the branches that an isolated agent and its children may write. */
export function ownBranches({ family }: Pick<AgentRecord, 'family'>): string {
  return `muster/${family.slice(-8).toLowerCase()}`;
}

/** Where muster is installed: a checkout of it has a history, and the addresses that it came from. */
const musterFolder = ownFolder.replace(/\/$/, '');

/** What depends on how an agent is isolated. */
export interface Surroundings {
  /** Its network; undefined if it has that of its host. */
  readonly network: AgentNetwork | undefined;
  /** The programs of the host that it sees. `kept` are folders that no installation may show. */
  readonly shown: (kept: readonly string[], home: string) => readonly Mount[];
  /** The sockets of container engines, which no grant may show. */
  readonly engines: readonly string[];
}

/**
 * What a program of an isolated agent can see and reach.
 * @throws ISOLATION_UNSAFE when its directory holds the person's home
 */
export async function sandboxSpec(
  subject: IsolatedSubject,
  program: IsolatedProgram,
  folders: HostFolders,
  { network, shown, engines }: Surroundings,
): Promise<SandboxSpec> {
  const { cwd, env } = program;
  const home = homeOf(env);
  const kept = [home, folders.stateFolder];
  const own = privateFolderOf(folders.sandboxes, subject.id);
  const work = await workMounts(subject, cwd, { folders, kept });
  if (work.some(({ at, access }) => access === 'write' && isWithin(at, home))) {
    throw new Failure('ISOLATION_UNSAFE', holdsHome(cwd, home));
  }
  const { isBeside, needs } = program;
  return {
    cwd,
    network: network === undefined ? 'host' : 'own',
    relays: network?.relays ?? [],
    mounts: [
      ...(isBeside ? passingHome(home) : homeMounts(own, homeOrderOf(needs, home, env))),
      // Where a link leads may be in a folder that is shown, such as /opt.
      ...[folders.stateFolder, realPath(folders.stateFolder) ?? folders.stateFolder].map(hidden),
      ...shown(kept, home),
      ...[musterFolder, join(folders.stateFolder, 'bin'), folders.settings].flatMap((path) => shownAt(path, 'read')),
      ...secretsIn({ at: musterFolder, access: 'read' }, 0),
      ...authorities.flatMap((name) => shownOfSystem(env[name] ?? '')),
      ...granted(subject.launch.grants ?? {}, { home, stateFolder: folders.stateFolder, engines }),
      ...work,
      ...(network === undefined ? [] : [{ at: socketsInside, from: network.folder, access: 'read' } as const]),
    ],
    set: {
      ...gitVariables(network),
      ...(network ? proxyVariables(network.proxyPort) : {}),
      ...promptOf(env),
      ...pathOf(env),
    },
    unset: ['SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR', 'TMPDIR', ...(network ? ['ALL_PROXY', 'all_proxy'] : [])],
  };
}

const hidden = (at: string): Mount => ({ at, access: 'empty' });

/** Why agents of a directory around a home cannot be isolated, and what to do about it. */
function holdsHome(directory: string, home: string): string {
  return `cannot be isolated: ${directory} holds your home folder ${home}. Choose a folder below it`;
}

function homeOrderOf(
  needs: IsolatedNeeds = { hosts: [] },
  home: string,
  environment: Readonly<Record<string, string>>,
): HomeOrder {
  const { folder, copied = [], readable = [] } = needs;
  const place = (path: string) => placeIn(needs, path, home, environment);
  return {
    home,
    cli: (folder && environment[folder.variable]) || undefined,
    copied: copied.map(place),
    readable: readable.map(place),
  };
}

/** The files with which a program's CLI signs in, and where an agent has its own copies of them. */
export function loginsFor({ env, needs }: IsolatedProgram, own: PrivateFolder): LoginPaths[] {
  const home = homeOf(env);
  const files = needs?.shared?.map((path) => placeIn(needs, path, home, env)) ?? [];
  return loginPaths(own, homeOrderOf(needs, home, env), files);
}

function homeOf({ HOME = '/' }: IsolatedProgram['env']): string {
  return realPath(HOME) ?? '/';
}

/** The agent's own worktree; for a child its parent's; for any other agent its directory. */
async function workMounts(
  { worktree, launch, family }: IsolatedSubject,
  cwd: string,
  { folders, kept }: { readonly folders: HostFolders; readonly kept: readonly string[] },
): Promise<Mount[]> {
  const path = worktree ?? worktreeAround(launch.cwd, folders.worktrees);
  if (path === undefined || !isWithin(path, cwd)) return directoryMounts(cwd, kept);
  return ownWorktreeMounts({ path, branches: ownBranches({ family }) });
}

/** The worktree of another agent that a directory is in: `<worktrees>/<repository>/<name>`. */
function worktreeAround(directory: string, worktrees: string): string | undefined {
  if (!isWithin(worktrees, directory)) return undefined;
  const [repository, name] = directory.slice(worktrees.length + 1).split('/');
  return repository && name ? join(worktrees, repository, name) : undefined;
}
