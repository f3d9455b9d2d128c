import { type HourlyCost, hourOfFleet, quietSweeps } from '#test/forge/sweep-cost.ts';
import { report } from '../stage/report.ts';

const openPullRequests = 500;
const fleets = [10, 50] as const;
const hourlyLimit = 5_000;

/**
 * Measures what sweeps request from forges: for one quiet repository on each forge, and for whole fleets in an hour.
 */
export async function benchForgeSweep(): Promise<void> {
  const rows: string[][] = [];
  for (const kind of ['github', 'gitlab', 'gitea', 'bitbucket'] as const) {
    for (const { name, requests, bytesSent, bytesGot } of await quietSweeps(kind, openPullRequests)) {
      rows.push([kind, name, String(requests), kilobytes(bytesSent), kilobytes(bytesGot)]);
    }
  }
  report(
    `A repository of ${openPullRequests} open pull requests`,
    'Requests, and bytes of bodies, between muster and a fake forge that answers from the published schemas.',
    ['forge', 'sweep', 'requests', 'sent', 'received'],
    rows,
  );
  const hours: [number, HourlyCost][] = [];
  for (const repositories of fleets) hours.push([repositories, await hourOfFleet(repositories, 20)]);
  report(
    'An hour of a fleet on GitHub',
    `Each repository has 20 open pull requests, one of a working agent. Simulated with a test clock; GitHub allows ${hourlyLimit} points.`,
    ['repositories', 'sweeps', 'points', 'of the limit', 'longest time between two sweeps'],
    hours.map(([repositories, { sweeps, points, longestGapMs }]) => [
      String(repositories),
      String(sweeps),
      String(points),
      `${Math.round((points / hourlyLimit) * 100)} %`,
      `${Math.round(longestGapMs / 1_000)} s`,
    ]),
  );
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
