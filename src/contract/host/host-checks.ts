import { type Check, well } from './check.ts';
import { maxClockOffsetMs } from './host-standing.ts';
import { byteText } from './load-reading.ts';

/** A certificate that is valid for less than this, in milliseconds, should have been renewed hours ago. */
const endsSoonMs = 6 * 60 * 60_000;
/** The name of the check of a host's clock. */
export const clockCheck = 'clock compared with the registry’s';
/** Less free space than this, in bytes, is soon used up by worktrees. */
const minFreeBytes = 2 * 1024 ** 3;

/** What a host reported about its machine, as far as it can be wrong. */
interface ReportedHost {
  readonly harnesses: readonly string[];
  readonly musterVersion?: string | undefined;
  readonly protocol?: number | undefined;
  readonly clockOffsetMs?: number | undefined;
  readonly diskFreeBytes?: number | undefined;
  /** Below how much free space, in bytes, nothing is launched on it. */
  readonly minDiskFreeBytes: number;
  readonly tmuxFault?: string | undefined;
  readonly certifiedUntil?: number | undefined;
}

/** The version of muster that the registry runs, and of the messages that it speaks. */
export interface OwnVersion {
  readonly version: string;
  readonly protocol: number;
}

/** What is wrong with a host by what it reported, and what to do about it. */
export function reportedChecks(host: ReportedHost, own: OwnVersion, now: number): Check[] {
  const { harnesses, musterVersion, clockOffsetMs, diskFreeBytes, tmuxFault, certifiedUntil } = host;
  return [
    ...(musterVersion === undefined ? [] : [checkVersion(musterVersion, host.protocol, own)]),
    ...(clockOffsetMs === undefined ? [] : [checkClock(clockOffsetMs)]),
    ...(diskFreeBytes === undefined ? [] : [checkDisk(diskFreeBytes, host.minDiskFreeBytes)]),
    ...(tmuxFault === undefined ? [] : [tmuxCheck(tmuxFault)]),
    ...(certifiedUntil === undefined ? [] : [checkCertificate(certifiedUntil, now)]),
    checkHarnesses(harnesses),
  ];
}

/** The checks that found something wrong, one sentence each: what it is, and what to do about it. */
export function faultsIn(checks: readonly Check[]): string[] {
  return checks.filter(({ outcome }) => outcome !== 'ok').map(({ name, found, mend }) => `${name}: ${found}; ${mend}`);
}

/** A host whose beats do not arrive. */
export function unheardCheck(state: 'silent' | 'lost', seenAt: number): Check {
  const mend =
    'start `muster host` on it, or find out why it hangs: its agents show their last known states. If it never returns, ' +
    '`muster delete --abandon` gives its agents up, and `muster hosts --forget` forgets it';
  const found = `it is ${state}, last seen ${new Date(seenAt).toISOString()}`;
  return { name: 'online', outcome: 'fail', found, mend };
}

/** A host whose beats arrive, and that answers nothing. */
export function unresponsiveCheck(): Check {
  const mend =
    'find out what drops messages to it, such as a firewall or a proxy between it and the bus, or why it hangs (`muster logs host` there), ' +
    'and start `muster host` again';
  return { name: 'requests', outcome: 'fail', found: 'its beats arrive, but it does not answer requests', mend };
}

/** Whether a host runs the version of the registry. */
function checkVersion(version: string, protocol: number | undefined, own: OwnVersion): Check {
  const name = 'version';
  const isOther = protocol !== undefined && protocol !== own.protocol;
  if (version === own.version && !isOther) return well(name, `muster ${version}, as the registry`);
  const found = `it runs muster ${version}, and the registry runs ${own.version}`;
  const mend = 'update the older of the two, the registry first, and start it again: agents keep running';
  return { name, outcome: isOther ? 'fail' : 'warn', found, mend };
}

/** Whether a host's clock agrees with the registry's, by how much it is ahead. */
export function checkClock(offsetMs: number): Check {
  const name = clockCheck;
  if (Math.abs(offsetMs) < maxClockOffsetMs) return well(name, `they agree within ${maxClockOffsetMs / 1_000} s`);
  const found = `it is ${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'ahead' : 'behind'}`;
  const mend = 'synchronize both clocks with NTP: until then, the times of agents are wrong';
  return { name, outcome: 'warn', found, mend };
}

function tmuxCheck(fault: string): Check {
  const found = `${fault}, so panes there end when muster stops`;
  return {
    name: 'tmux',
    outcome: 'warn',
    found,
    mend: 'install tmux 3.3 or newer there, and start muster there again',
  };
}

function checkCertificate(until: number, now: number): Check {
  const name = 'certificate for the bus';
  const end = new Date(until).toISOString();
  if (until - now >= endsSoonMs) return well(name, `valid until ${end}`);
  const found = until > now ? `it ends at ${end}, and was not renewed` : `it ended at ${end}`;
  const mend =
    'muster renews it as soon as it can: `muster logs host` there says why it could not; check its clock, and whether it reaches the ' +
    'address where it joined';
  return { name, outcome: 'warn', found, mend };
}

/** Whether a host has room for worktrees, by the free bytes of its disk, and those below which nothing is launched. */
function checkDisk(free: number, floor: number): Check {
  const name = 'disk of the worktrees';
  if (free >= minFreeBytes && free >= floor) return well(name, `${byteText(free)} are free`);
  const mend = 'run `muster clean`, delete agents that are done, with their worktrees, or free space otherwise';
  if (free < floor) {
    const found = `${byteText(free)} are free, less than the ${byteText(floor)} below which nothing is launched on it`;
    return { name, outcome: 'fail', found, mend };
  }
  return { name, outcome: 'warn', found: `only ${byteText(free)} are free`, mend };
}

function checkHarnesses(harnesses: readonly string[]): Check {
  const name = 'coding agents';
  const found = harnesses.filter((harness) => harness !== 'shell');
  if (found.length > 0) return well(name, found.join(', '));
  const mend =
    'install one there, such as claude or codex, on the PATH of `muster host`: muster notices within seconds';
  return { name, outcome: 'warn', found: 'it has none, so it runs only shells', mend };
}
