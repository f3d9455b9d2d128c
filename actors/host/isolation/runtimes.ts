import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { Runtime } from '#contract/host/isolation.ts';
import type { Limits } from '#contract/host/limits.ts';
import { type SandboxPrograms, type SandboxSpec, sandboxed } from '#world/isolation/bubblewrap.ts';
import { containerProfile, filtersHere, sandboxFilter } from '#world/isolation/call-filters.ts';
import { carriedProgram } from '#world/isolation/carried-program.ts';
import { contained, type Engine, explainRefusal } from '#world/isolation/container.ts';
import type { Mount } from '#world/isolation/mount.ts';
import { programMounts, withoutSecrets } from '#world/isolation/program-mounts.ts';
import { hasFilter } from '#world/isolation/system-calls.ts';
import { terminalMounts, terminalVariables } from '#world/isolation/terminal-descriptions.ts';
import { ownLimit } from '#world/process/own-limit.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { checkEngineLimits } from './engine-limits.ts';

/** Makes the command line that runs a program isolated. */
export type Around = (argv: readonly string[]) => readonly string[];

/** A way to isolate programs that works on this host. */
export interface FoundRuntime {
  /** What it is made by, for people. */
  readonly by: string;
  /** How a program inside calls socat. */
  readonly socat: string;
  /** How many filters of system calls are in force for a program inside. */
  readonly minFilters: number;
  /** The programs of the host that are shown inside. */
  readonly shown: (kept: readonly string[], home: string) => readonly Mount[];
  readonly around: (spec: SandboxSpec) => Around;
  /** Checks that what makes it holds the limits. @throws ISOLATION_UNAVAILABLE */
  readonly checkLimits: () => Promise<void>;
  /** What to do about a program that could not be started; undefined if what was printed must do. */
  readonly explain: (output: string) => string | undefined;
}

/** What a runtime needs to know of a program. */
export interface RuntimeOrder {
  readonly agentId: string;
  readonly image: string;
  /** The limits of a container, which its engine holds. */
  readonly limits?: Limits | undefined;
  /** The variables of the program, with its PATH, and further programs that it needs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly programs: readonly string[];
  readonly stateFolder: string;
  /** The host's environment, in which engines find their settings. */
  readonly environment: Readonly<Record<string, string>>;
}

/** muster's own Node, for images that have none. */
const ownNode: Mount = { at: '/run/muster-node/node', from: process.execPath, access: 'read' };

/** Where engines keep their state and their settings. */
const engineVariables = [
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'CONTAINERS_CONF',
  'CONTAINERS_STORAGE_CONF',
  'CONTAINER_HOST',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
];

/** The programs that make sandboxes, or what is missing and what to do about it. */
function findSandbox(path: string): SandboxPrograms | string {
  const [bwrap, socat, unshare, mount] = ['bwrap', 'socat', 'unshare', 'mount'].map((name) => findProgram(name, path));
  if (process.platform === 'linux' && bwrap && socat) return { bwrap, socat, unshare, mount };
  if (process.platform !== 'linux') {
    return `cannot be isolated on ${process.platform} yet: launch it on a Linux host, or with isolation none`;
  }
  const missing = bwrap === undefined ? 'bwrap' : 'socat';
  return `cannot be isolated: ${missing} is not on the PATH of this host. Install bubblewrap and socat, then retry`;
}

/** The program that runs containers, or what is missing and what to do about it. */
export function findEngine(path: string): Engine | string {
  for (const kind of ['podman', 'docker'] as const) {
    const program = process.platform === 'linux' && findProgram(kind, path);
    if (program) return { kind, program };
  }
  if (process.platform !== 'linux') {
    return `cannot run in a container on ${process.platform} yet: launch it on a Linux host, or with isolation none`;
  }
  return 'cannot run in a container: neither podman nor docker is on the PATH of this host. Install podman, then retry';
}

/** The variables by which an engine finds its state and its settings. */
export function engineEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => engineVariables.includes(name)));
}

/**
 * How this host isolates a program.
 * @throws ISOLATION_UNAVAILABLE when it lacks what that needs
 */
export async function foundRuntime(runtime: Runtime, programsPath: string, order: RuntimeOrder): Promise<FoundRuntime> {
  return runtime === 'sandbox' ? sandboxRuntime(programsPath, order) : containerRuntime(programsPath, order);
}

function sandboxRuntime(programsPath: string, { variables, programs, stateFolder }: RuntimeOrder): FoundRuntime {
  const programsFound = findSandbox(programsPath);
  if (typeof programsFound === 'string') throw new Failure('ISOLATION_UNAVAILABLE', programsFound);
  const found = { ...programsFound, filter: sandboxFilter(stateFolder) };
  return {
    by: found.bwrap,
    socat: found.socat,
    minFilters: minFilters('bubblewrap'),
    shown: (kept, home) => {
      const shown = {
        path: variables['PATH'] ?? '',
        programs: [process.execPath, ...programs],
        environment: variables,
      };
      return programMounts({ ...shown, kept, home });
    },
    around: (spec) => (argv) => sandboxed(found, spec, argv),
    checkLimits: async () => {},
    explain: () => undefined,
  };
}

/** A child of this process has its filters too; Docker's containers are children of its own service. */
function minFilters(by: 'bubblewrap' | Engine['kind']): number {
  if (!hasFilter(process.arch)) return 0;
  return by === 'docker' ? 1 : filtersHere() + 1;
}

/** The image has its own programs. It sees muster's, and the CLI of the host. */
async function containerRuntime(programsPath: string, order: RuntimeOrder): Promise<FoundRuntime> {
  const { agentId, image, limits, programs, stateFolder, environment } = order;
  const engine = findEngine(programsPath);
  if (typeof engine === 'string') throw new Failure('ISOLATION_UNAVAILABLE', engine);
  const carried = new Map(programs.map((program) => [program, carriedProgram(program)]));
  const maxFiles = ownLimit('open files');
  const calls = await containerProfile(engine, environment, stateFolder);
  return {
    by: engine.program,
    socat: 'socat',
    minFilters: minFilters(engine.kind),
    checkLimits: () => checkEngineLimits(engine, environment, limits),
    explain: (output) => explainRefusal(engine, image, output),
    shown: (kept) => {
      const clis = [...carried.values()].flatMap(({ mounts }) => mounts);
      return [ownNode, ...terminalMounts(), ...withoutSecrets(clis, kept)];
    },
    around: (spec) => {
      const container = {
        ...spec,
        set: { ...spec.set, ...terminalVariables() },
        image,
        limits,
        agentId,
        mark: `${agentId}.${randomUUID()}`,
        user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
        path: { before: join(stateFolder, 'bin'), after: dirname(ownNode.at) },
        maxFiles,
        calls,
        engineVariables: engineEnvironment(environment),
      };
      return ([program = '', ...rest]) =>
        contained(engine, container, [carried.get(program)?.program ?? program, ...rest]);
    },
  };
}
