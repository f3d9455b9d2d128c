import { existsSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { runGroup } from '#world/process/group/process-group.ts';
import { probedHost } from './host-filter.ts';
import { realPath } from './mount.ts';

/** What a probe tries from inside. */
export interface ProbeOrder {
  /** The sandbox's command line for a program. */
  readonly around: (argv: readonly string[]) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly stateFolder: string;
  /** The path of socat, and the proxy's port; undefined if the agent has the network of its host. */
  readonly network: { readonly socat: string; readonly proxyPort: number; readonly busPort: number } | undefined;
  /** How many filters of system calls must be in force inside. Those of this process count if the program is its child. */
  readonly minFilters: number;
  /** A name that nothing else has. */
  readonly nonce: string;
  /** What to do about a program that could not be started, by what was printed; undefined if that must do. */
  readonly explain?: (output: string) => string | undefined;
}

/** How long a probe may take, in milliseconds. */
const withinMs = 20_000;

/** Each line of its output is a namespace that it is in, or something that it could do. */
const script = `home=$1 state=$2 real=$3 mark=$4 socat=$5 proxy=$6 bus=$7
readlink /proc/self/ns/pid /proc/self/ns/mnt /proc/self/ns/ipc /proc/self/ns/net &
while read -r name value; do case $name in Seccomp: | Seccomp_filters:) echo "$name $value" ;; esac; done < /proc/self/status
for at in "$state" "$real"; do
  for file in "$at"/*token* "$at"/*.db "$at"/bus.keys; do [ ! -r "$file" ] || echo "reaches $file"; done
done
for folder in "$home" "$state" /etc /usr; do { true > "$folder/$mark"; } 2>/dev/null; done
[ -n "$socat" ] || { wait; exit 0; }
reaches() { "$socat" -T 1 /dev/null "TCP4:$1,connect-timeout=1" 2>/dev/null && echo "reaches $1"; }
reaches "127.0.0.1:$bus" & reaches 169.254.169.254:80 &
answer=$(printf 'CONNECT ${probedHost}:443 HTTP/1.1\\r\\nHost: ${probedHost}:443\\r\\n\\r\\n' |
  "$socat" -t 5 -T 5 - "TCP4:127.0.0.1:$proxy,connect-timeout=2" 2>/dev/null)
case $answer in 'HTTP/1.1 403 '*) echo "refused ${probedHost}" ;; *) echo "unfiltered \${answer:-no answer}" ;; esac
wait
exit 0`;

/**
 * Tries from inside a sandbox what an agent must not be able to do.
 * @throws ISOLATION_UNAVAILABLE when no program can be started in it; ISOLATION_UNSAFE when it does not hold
 */
export async function probe(order: ProbeOrder): Promise<void> {
  const { network, home, stateFolder, nonce } = order;
  const mark = `.muster-probe-${nonce}`;
  const network3 = network ? [network.socat, `${network.proxyPort}`, `${network.busPort}`] : ['', '', ''];
  const folders = [home, stateFolder, realPath(stateFolder) ?? stateFolder];
  const [file = '', ...args] = order.around(['/bin/sh', '-c', script, 'probe', ...folders, mark, ...network3]);
  let [stdout, stderr] = ['', ''];
  const end = await runGroup({
    file,
    args,
    cwd: '/',
    env: order.env,
    timeoutMs: withinMs,
    onStdout: (chunk) => (stdout += chunk),
    onStderr: (chunk) => (stderr += chunk),
  });
  if (end.exitCode !== 0) {
    const why = end.timedOut
      ? `it did not answer within ${withinMs / 1000} s`
      : (stderr || stdout).trim().slice(0, 500);
    const known = order.explain?.(stderr + stdout);
    if (known !== undefined) throw new Failure('ISOLATION_UNAVAILABLE', `cannot be isolated: ${known}`);
    throw new Failure(
      'ISOLATION_UNAVAILABLE',
      `cannot be isolated: no program can be started isolated on this host: ${why || 'it gives no reason'}. See \`muster doctor\``,
    );
  }
  const fault = faultIn(stdout.split('\n'), order, mark);
  if (fault === undefined) return;
  throw new Failure(
    'ISOLATION_UNSAFE',
    `cannot be isolated: the isolation of this host does not hold, because ${fault}. Nothing was started`,
  );
}

function faultIn(
  lines: readonly string[],
  { home, stateFolder, network, minFilters }: ProbeOrder,
  mark: string,
): string | undefined {
  const written = [home, stateFolder, '/etc', '/usr'].find((folder) => existsSync(join(folder, mark)));
  if (written !== undefined) return `a program in it can write to ${written}`;
  const reached = lines.find((line) => /^(?:reaches|unfiltered) /.test(line));
  if (reached !== undefined) return `a program in it ${reached}`;
  if (filtersIn(lines) < minFilters) return everyCall;
  const own = ['pid', 'mnt', 'ipc', ...(network ? ['net'] : [])];
  const shared = own.find((kind) => lines.includes(readlinkSync(`/proc/self/ns/${kind}`)));
  if (shared !== undefined) return `a program in it shares the ${shared} namespace of the host`;
  const isKnown = own.every((kind) => lines.some((line) => line.startsWith(`${kind}:[`)));
  const isRefused = network === undefined || lines.some((line) => line.startsWith('refused '));
  return isKnown && isRefused ? undefined : 'a program in it does not report what it can reach';
}

/** What is missing if no filter was added, and what to do about it. */
const everyCall =
  'a program in it may make every call of the kernel: what starts it adds no filter of system calls (seccomp), as containers with `seccomp=unconfined`, Kata and gVisor have none. Use bubblewrap, or podman or Docker with runc or crun and a seccomp profile';

/** How many filters are in force inside. A kernel that does not count them says that there is one. */
function filtersIn(lines: readonly string[]): number {
  const counted = lines.find((line) => line.startsWith('Seccomp_filters: '));
  if (counted !== undefined) return Number(counted.slice('Seccomp_filters: '.length));
  return lines.includes('Seccomp: 2') ? 1 : 0;
}
