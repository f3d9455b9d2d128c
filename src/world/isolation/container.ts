import { cpus } from 'node:os';
import { secretFd } from '#world/process/group/process-group.ts';
import type { SandboxSpec } from './bubblewrap.ts';
import type { HeldLimits } from './cgroup.ts';
import { inOrder, type Mount } from './mount.ts';
import { pathVariable } from './private-home.ts';
import { relayArguments, startRelays } from './relays.ts';

/** A program that runs containers. */
export interface Engine {
  readonly kind: 'podman' | 'docker';
  /** Its path. */
  readonly program: string;
}

/** A container that a program of an agent runs in. */
export interface ContainerSpec extends SandboxSpec {
  readonly image: string;
  readonly limits: HeldLimits | undefined;
  readonly agentId: string;
  /** A value that no other container has: the agent's id, a dot, and something random. Its processes are found by it. */
  readonly mark: string;
  /** The user and group that its processes run as. */
  readonly user: { readonly uid: number; readonly gid: number };
  /** Folders before and after those of the image's own PATH. */
  readonly path: { readonly before: string; readonly after: string };
  /** Variables for the engine alone: where it keeps its state, and its settings. */
  readonly engineVariables: Readonly<Record<string, string>>;
  /** The most files that this process may open, which an engine without privileges cannot raise. */
  readonly maxFiles: number | undefined;
  /** The file with the profile of permitted system calls; the engine's own if undefined. */
  readonly calls: string | undefined;
}

/** The most processes of a container, where an engine sets that. Each of its users may have more of them elsewhere. */
const maxProcesses = 32_768;

/** The variable that every process of a container starts with, and that the engine gets as an argument. */
export const containerVariable = 'MUSTER_CONTAINER';
/** The label of an agent's containers. */
export const agentLabel = 'muster.agent';

/** Variables of the host's system or of this shell that mean nothing inside. */
const omitted = [
  'PATH',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'PWD',
  'OLDPWD',
  'SHLVL',
  'HOSTNAME',
  'AWKPATH',
  'AWKLIBPATH',
  'TERMINFO',
];

/**
 * Becomes the engine, which passes every variable on by its name: none is in its arguments. A script's text, which comes
 * through a descriptor of its own, is passed on as the standard input, because engines pass no other descriptor on.
 */
const passOn = `omitted=$1 engine=$2; shift 2
options=
for name in $(awk 'BEGIN { for (name in ENVIRON) print name }'); do
  case " $omitted " in *" $name "*) continue ;; esac
  case $name in '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
  options="$options --env=$name"
done
if [ -t 0 ]; then options="$options --tty"
elif (: <&${secretFd}) 2>/dev/null; then exec <&${secretFd} ${secretFd}<&-; options="$options --env=MUSTER_TEXT_ON_INPUT=1"
fi
exec "$engine" run $options "$@"`;

/** Runs inside: completes the PATH, puts a script's text where it is expected, and starts the relays. */
const inside = (
  hasRelays: boolean,
  isLimited: boolean,
) => `PATH=$1:\${PATH:-/usr/local/bin:/usr/bin:/bin}:$2; ${pathVariable}=$PATH; export PATH ${pathVariable}; shift 2
if [ -n "\${MUSTER_TEXT_ON_INPUT:-}" ]; then exec ${secretFd}<&0 </dev/null; unset MUSTER_TEXT_ON_INPUT; fi
${hasRelays ? checkedRelays : ''}
"$@"
status=$?
${isLimited ? awaitHost : ''}
exit $status`;

/** The group of a container goes with it, so a container without memory stays until its host has read why, and ends it. */
const awaitHost = `if grep -qs 'oom_kill [1-9]' /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control
then sleep 10; fi`;

const checkedRelays = `for program in socat setsid grep; do
  command -v "$program" >/dev/null || { echo "the image has no $program: add it" >&2; exit 127; }
done
unset program
${startRelays}`;

/**
 * The command line that runs a program in a container. Its image must be on the host: nothing is downloaded. It has no
 * capability, its root is read-only, and what it prints is not recorded by the engine.
 */
export function contained(engine: Engine, spec: ContainerSpec, argv: readonly string[]): string[] {
  const { engineVariables, set, unset, user, path, relays, maxFiles, limits, calls } = spec;
  const own = [...omitted, ...unset, ...Object.keys(engineVariables), ...Object.keys(set)];
  return [
    '/usr/bin/env',
    ...Object.entries(engineVariables).map(([name, value]) => `${name}=${value}`),
    ...['/bin/sh', '-c', passOn, 'container', own.join(' '), engine.program],
    ...['--rm', '--interactive', '--pull=never', '--read-only', '--cap-drop=all', '--log-driver=none'],
    ...['--security-opt=no-new-privileges', '--security-opt=label=disable'],
    ...(calls === undefined ? [] : [`--security-opt=seccomp=${calls}`]),
    ...ofEngine(engine, user.uid),
    `--ulimit=nproc=${maxProcesses}:${maxProcesses}`,
    ...(maxFiles === undefined ? [] : [`--ulimit=nofile=${maxFiles}:${maxFiles}`]),
    ...limitOptions(limits),
    `--user=${user.uid}:${user.gid}`,
    `--network=${spec.network === 'own' ? 'none' : 'host'}`,
    `--label=${agentLabel}=${spec.agentId}`,
    `--env=${containerVariable}=${spec.mark}`,
    ...Object.entries(set).map(([name, value]) => `--env=${name}=${value}`),
    '--tmpfs=/run',
    '--tmpfs=/var/tmp',
    ...inOrder(spec.mounts).map(mountOption),
    `--workdir=${spec.cwd}`,
    '--entrypoint=/bin/sh',
    spec.image,
    ...['-c', inside(relays.length > 0, limits?.memoryMib !== undefined), 'container', path.before, path.after],
    ...(relays.length > 0 ? relayArguments('socat', relays) : []),
    ...argv,
  ];
}

/** A container without swap, as a control group of muster's own has none. */
function limitOptions({ memoryMib, maxProcesses, cpuPercent }: HeldLimits = {}): string[] {
  return [
    ...(memoryMib ? [`--memory=${memoryMib}m`, `--memory-swap=${memoryMib}m`] : []),
    ...(maxProcesses ? [`--pids-limit=${maxProcesses}`] : []),
    // An engine refuses more processors than there are.
    ...(cpuPercent ? [`--cpus=${Math.min(cpuPercent / 100, cpus().length)}`] : []),
  ];
}

/** Why an engine refused to start a program, and what to do about it; undefined if that is not known. */
export function explainRefusal({ kind }: Engine, image: string, output: string): string | undefined {
  if (/image not known|no such image|unable to find image/i.test(output)) {
    return `image ${image} is not on this host. Run \`${kind} pull ${image}\` there, or build it, then retry`;
  }
  if (/"\/bin\/sh"/.test(output)) return `image ${image} has no /bin/sh. Use an image with a shell, then retry`;
  return undefined;
}

/** Keys that detach a person from a container would be taken from its program. Docker knows no empty list of them. */
function ofEngine({ kind }: Engine, uid: number): string[] {
  if (kind === 'docker') return ['--detach-keys=ctrl-@,ctrl-@,ctrl-@,ctrl-@'];
  return ['--detach-keys=', '--read-only-tmpfs=false', ...(uid === 0 ? [] : ['--userns=keep-id'])];
}

/** Engines read the fields of a mount as a line of CSV. */
function mountOption({ at, from = at, access }: Mount): string {
  const field = (name: string, path: string) => {
    const text = `${name}=${path}`;
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const fields =
    access === 'empty'
      ? ['type=tmpfs', field('dst', at)]
      : ['type=bind', field('src', from), field('dst', at), ...(access === 'read' ? ['readonly'] : [])];
  return `--mount=${fields.join(',')}`;
}
