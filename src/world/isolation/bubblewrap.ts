import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inOrder, type Mount, stillHidden } from './mount.ts';
import { type Relay, relayArguments, restorePrompt, startRelays } from './relays.ts';
import { closedFilesHidden, type DevicePrograms, devicesKept } from './root-files.ts';

/** What a program in a sandbox can see and reach. */
export interface SandboxSpec {
  readonly mounts: readonly Mount[];
  /** The folder in which the program starts. */
  readonly cwd: string;
  /** `host`: the network of the host; `own`: only the relays. */
  readonly network: 'host' | 'own';
  readonly relays: readonly Relay[];
  /** Variables that are set inside, and those that are removed. They are visible in the list of processes. */
  readonly set: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
}

/** The programs that make a sandbox, by their paths. */
export interface SandboxPrograms extends DevicePrograms {
  readonly bwrap: string;
  readonly socat: string;
  /** The file with the filter of system calls; undefined if there is none for this machine. */
  readonly filter?: string | undefined;
}

/**
 * What every sandbox shows of the system: programs and settings, and no work of anybody. Beside the files of the resolver are
 * sockets, by which a program without a network could send names to look up.
 */
export const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix/store',
  '/home/linuxbrew/.linuxbrew',
  '/run/systemd/resolve/resolv.conf',
  '/run/systemd/resolve/stub-resolv.conf',
];

/**
 * Parts of /proc with which root changes the kernel. They check the user, not its capabilities, and bubblewrap protects
 * only some of them.
 */
const kernelSettings = ['sys', 'sysrq-trigger', 'fs', 'irq', 'bus', 'acpi', 'scsi'].map((name) => `/proc/${name}`);

/** Parts of /proc about others: the keys of the person, and the timers of all processes. */
const filesAboutOthers = ['keys', 'key-users', 'timer_list', 'sched_debug', 'latency_stats'].map(
  (name) => `/proc/${name}`,
);

/**
 * A terminal sends the signals of its keys to bubblewrap too, which would end, and the program with it. So bubblewrap
 * ignores them, and the program, which would ignore them as well, gets their defaults back.
 */
const keySignals = 'INT,QUIT';
const outer = `trap '' ${keySignals.replace(',', ' ')}; exec "$@"`;
/** The descriptor from which bubblewrap reads the filter of system calls, which it closes then. */
const filterFd = 9;
const outerWithFilter = `exec ${filterFd}<"$1" || exit 126; shift; ${outer}`;
const inner = (hasRelays: boolean) => `${hasRelays ? startRelays : restorePrompt}
exec "$@"`;
/** What gives a program the defaults of signals back, if the host's `env` can. */
const signalsRestored = ['/usr/bin/env', `--default-signal=${keySignals}`];
let canRestoreSignals: boolean | undefined;

function withSignals(): string[] {
  const [env = '', ...args] = signalsRestored;
  canRestoreSignals ??= spawnSync(env, [...args, 'true'], { stdio: 'ignore' }).status === 0;
  return canRestoreSignals ? signalsRestored : [];
}

/** The command line that runs a program in a sandbox. */
export function sandboxed(programs: SandboxPrograms, spec: SandboxSpec, argv: readonly string[]): string[] {
  const { bwrap, socat, filter } = programs;
  const { relays } = spec;
  const hasRelays = relays.length > 0;
  return [
    ...(filter === undefined
      ? ['/bin/sh', '-c', outer, 'sandbox']
      : ['/bin/sh', '-c', outerWithFilter, 'sandbox', filter]),
    ...devicesKept(programs),
    bwrap,
    ...(filter === undefined ? [] : ['--seccomp', `${filterFd}`]),
    '--die-with-parent',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(spec.network === 'own' ? ['--unshare-net'] : []),
    '--cap-drop',
    'ALL',
    ...systemFolders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    '--proc',
    '/proc',
    ...kernelSettings.flatMap((path) => ['--ro-bind-try', path, path]),
    ...filesAboutOthers.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    '--dev',
    '/dev',
    '--tmpfs',
    '/var/tmp',
    ...inOrder([...stillHidden(closedFilesHidden(), spec.mounts), ...spec.mounts]).flatMap(mountArgs),
    '--remount-ro',
    '/',
    ...Object.entries(spec.set).flatMap(([name, value]) => ['--setenv', name, value]),
    ...spec.unset.flatMap((name) => ['--unsetenv', name]),
    '--chdir',
    spec.cwd,
    '--',
    ...['/bin/sh', '-c', inner(hasRelays), 'sandbox'],
    ...(hasRelays ? relayArguments(socat, relays) : []),
    ...withSignals(),
    ...argv,
  ];
}

function mountArgs({ at, from = at, access }: Mount): string[] {
  if (access === 'empty') return ['--tmpfs', at];
  return [access === 'write' ? '--bind' : '--ro-bind', from, at];
}
