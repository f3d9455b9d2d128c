import { inOrder, type Mount } from './mount.ts';

/** A port on 127.0.0.1 inside a sandbox, and the Unix socket to which its connections are passed on. */
export interface Relay {
  readonly port: number;
  /** The socket's path inside. */
  readonly socket: string;
}

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
export interface SandboxPrograms {
  readonly bwrap: string;
  readonly socat: string;
}

/** Folders of the system that every sandbox shows. They hold programs and settings, and no work of anybody. */
const systemFolders = [
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
  '/run/systemd/resolve',
];

/**
 * Parts of /proc with which root changes the kernel. They check the user, not its capabilities, and bubblewrap protects
 * only some of them.
 */
const kernelSettings = ['sys', 'sysrq-trigger', 'fs', 'irq', 'bus', 'acpi', 'scsi'].map((name) => `/proc/${name}`);

/** The variable that carries a prompt past the shell that starts the relays, which would drop it. */
export const promptVariable = 'MUSTER_PS1';

/**
 * Starts the relays, waits until all listen, and becomes the program. Each relay has a session of its own, so that no
 * key typed in the terminal reaches it. The kernel lists the ports that are listened on as hexadecimal numbers.
 */
const withRelays = `socat=$1; shift
while [ "$1" != -- ]; do
  setsid "$socat" -t 10 "TCP4-LISTEN:$1,bind=127.0.0.1,reuseaddr,fork,backlog=128" "UNIX-CONNECT:$2" </dev/null >/dev/null 2>&1 &
  ports="$ports $(printf %04X "$1")"; shift 2
done
shift
for port in $ports; do
  tries=0
  until grep -q "0100007F:$port 00000000:0000 0A" /proc/net/tcp; do
    tries=$((tries + 1)); [ $tries -lt 500 ] || { echo "no relay listens on port 0x$port"; exit 126; }
    sleep 0.01
  done
done
[ -z "\${${promptVariable}+x}" ] || { PS1=$${promptVariable}; export PS1; unset ${promptVariable}; }
unset socat tries port ports
exec "$@"`;

/** The command line that runs a program in a sandbox. */
export function sandboxed({ bwrap, socat }: SandboxPrograms, spec: SandboxSpec, argv: readonly string[]): string[] {
  const relays = spec.relays.flatMap(({ port, socket }) => [String(port), socket]);
  const inner = relays.length === 0 ? argv : ['/bin/sh', '-c', withRelays, 'sandbox', socat, ...relays, '--', ...argv];
  return [
    bwrap,
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
    '--dev',
    '/dev',
    '--tmpfs',
    '/var/tmp',
    ...inOrder(spec.mounts).flatMap(mountArgs),
    '--remount-ro',
    '/',
    ...Object.entries(spec.set).flatMap(([name, value]) => ['--setenv', name, value]),
    ...spec.unset.flatMap((name) => ['--unsetenv', name]),
    '--chdir',
    spec.cwd,
    '--',
    ...inner,
  ];
}

function mountArgs({ at, from = at, access }: Mount): string[] {
  if (access === 'empty') return ['--tmpfs', at];
  return [access === 'write' ? '--bind' : '--ro-bind', from, at];
}
