import { Failure } from '#contract/failure.ts';
import { type Check, well } from '#contract/host/check.ts';
import { systemFolders } from '#world/isolation/bubblewrap.ts';
import { type Mount, shownAt } from '#world/isolation/mount.ts';
import { probe } from '#world/isolation/probe.ts';
import { runGroup } from '#world/process/group/process-group.ts';
import { type FoundRuntime, findEngine, foundRuntime, type RuntimeOrder } from './runtimes.ts';

export interface RuntimeChecks {
  readonly order: Omit<RuntimeOrder, 'image'>;
  /** The PATH on which programs are looked up. */
  readonly programs: string;
  readonly home: string;
}

/** How long an engine may take to answer, in milliseconds. */
const engineWithinMs = 10_000;

const howToMend =
  'allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, or the AppArmor profile of bwrap)';

/** Whether agents can run in a sandbox here. */
export async function checkSandbox(asked: RuntimeChecks): Promise<Check> {
  const name = 'sandbox';
  const found = await sandboxIn(asked);
  if (typeof found === 'string') return well(name, found);
  const fault = await tryRuntime(asked, found, []);
  if (fault === undefined) return well(name, `agents can be isolated by ${found.by}`);
  return { name, outcome: 'warn', found: fault, mend: howToMend };
}

/** What makes sandboxes here, or why nothing can. */
function sandboxIn({ order, programs }: RuntimeChecks): Promise<FoundRuntime | string> {
  return foundRuntime('sandbox', programs, { ...order, image: '' }).catch(messageOf);
}

/** Probes a runtime in which a program sees these mounts. Returns why it does not hold. */
function tryRuntime(
  { order, home }: RuntimeChecks,
  { around, minFilters }: FoundRuntime,
  mounts: readonly Mount[],
): Promise<string | undefined> {
  const { environment: env, stateFolder } = order;
  const isolated = around({ mounts, cwd: '/', network: 'own', relays: [], set: {}, unset: [] });
  const probed = { around: isolated, env, home, stateFolder, network: undefined, minFilters, nonce: 'doctor' };
  return probe(probed).then(() => undefined, messageOf);
}

/** The name of an empty image, with which containers are tried. */
const emptyImage = 'localhost/muster-probe:1';
/** An archive without files ends in two empty blocks. */
const emptyArchive = Buffer.alloc(10_240);

/** Whether agents can run in containers here: a container with an empty image and the host's own programs is tried. */
export async function checkContainers(asked: RuntimeChecks): Promise<Check> {
  const { order, programs } = asked;
  const name = 'container';
  const engine = findEngine(programs);
  if (typeof engine === 'string') return well(name, engine);
  const { kind, program } = engine;
  const fault = (await makeEmptyImage(program, order.environment)) ?? (await tryContainer(asked).catch(messageOf));
  if (fault === undefined) return well(name, `agents can run in containers of ${program}`);
  return { name, outcome: 'warn', found: fault, mend: mends[kind] };
}

/** Probes a container. Returns why it does not hold. */
async function tryContainer(asked: RuntimeChecks): Promise<string | undefined> {
  const { order, programs } = asked;
  const found = await foundRuntime('container', programs, { ...order, image: emptyImage });
  const folders = systemFolders.flatMap((folder) => shownAt(folder, 'read'));
  return tryRuntime(asked, found, [{ at: '/tmp', access: 'empty' }, ...folders]);
}

/** Makes the empty image, unless it is there. Returns why it cannot be made. */
async function makeEmptyImage(program: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  if ((await asked(program, ['image', 'inspect', emptyImage], env)) === undefined) return undefined;
  const fault = await asked(program, ['import', '-', emptyImage], env, emptyArchive);
  return fault === undefined ? undefined : `${program} cannot run containers: ${fault}`;
}

/** Runs an engine. Returns the last line of its complaint if it fails. */
async function asked(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: Uint8Array,
): Promise<string | undefined> {
  let output = '';
  const onStderr = (chunk: Buffer) => {
    output += chunk;
  };
  const run = { file, args, cwd: '/', env, timeoutMs: engineWithinMs, onStdout: () => {}, onStderr };
  const { exitCode, timedOut } = await runGroup(input === undefined ? run : { ...run, input });
  if (exitCode === 0) return undefined;
  if (timedOut) return `it does not answer within ${engineWithinMs / 1000} s`;
  return output.trim().split('\n').at(-1)?.slice(0, 300) || 'it gives no reason';
}

const mends = {
  podman: 'run `podman run` with an image of yours as the user of this host, and follow what it says',
  docker: 'start the Docker service, and add the user of this host to its group, or install podman',
} as const;

function messageOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  throw error;
}
