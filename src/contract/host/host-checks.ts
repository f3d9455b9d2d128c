import { type Check, well } from './check.ts';
import { maxClockOffsetMs } from './host-standing.ts';
import { byteText } from './load-reading.ts';

/** Less free space than this, in bytes, is soon used up by worktrees. */
const minFreeBytes = 2 * 1024 ** 3;

/** What a host reported about its machine, as far as it can be wrong. */
interface ReportedHost {
  readonly harnesses: readonly string[];
  readonly musterVersion?: string | undefined;
  readonly protocol?: number | undefined;
  readonly clockOffsetMs?: number | undefined;
  readonly diskFreeBytes?: number | undefined;
}

/** The version of muster that the registry runs, and of the messages that it speaks. */
export interface OwnVersion {
  readonly version: string;
  readonly protocol: number;
}

/** What is wrong with a host by what it reported, and what to do about it, one sentence each. */
export function reportedFaults(host: ReportedHost, own: OwnVersion): string[] {
  const { harnesses, musterVersion, clockOffsetMs, diskFreeBytes } = host;
  const checks = [
    ...(musterVersion === undefined ? [] : [checkVersion(musterVersion, host.protocol, own)]),
    ...(clockOffsetMs === undefined ? [] : [checkClock(clockOffsetMs)]),
    ...(diskFreeBytes === undefined ? [] : [checkDisk(diskFreeBytes)]),
    checkHarnesses(harnesses),
  ];
  return checks.filter(({ outcome }) => outcome !== 'ok').map(({ name, found, mend }) => `${name}: ${found}; ${mend}`);
}

/** Whether a host runs the version of the registry. */
export function checkVersion(version: string, protocol: number | undefined, own: OwnVersion): Check {
  const name = 'version';
  const isOther = protocol !== undefined && protocol !== own.protocol;
  if (version === own.version && !isOther) return well(name, `muster ${version}, as the registry`);
  const found = `it runs muster ${version}, and the registry runs ${own.version}`;
  const mend = 'update the older of the two, the registry first, and start it again: agents keep running';
  return { name, outcome: isOther ? 'fail' : 'warn', found, mend };
}

/** Whether a host's clock agrees with the registry's, by how much it is ahead. */
export function checkClock(offsetMs: number): Check {
  const name = 'clock compared with the registry’s';
  if (Math.abs(offsetMs) < maxClockOffsetMs) return well(name, `they agree within ${maxClockOffsetMs / 1_000} s`);
  const found = `it is ${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs > 0 ? 'ahead' : 'behind'}`;
  const mend = 'synchronize both clocks with NTP: until then, the times of agents are wrong';
  return { name, outcome: 'warn', found, mend };
}

function checkDisk(free: number): Check {
  const name = 'disk of the worktrees';
  if (free >= minFreeBytes) return well(name, `${byteText(free)} are free`);
  const mend = 'delete agents that are done, with their worktrees, or free space otherwise';
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
