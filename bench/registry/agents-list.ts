import type { Homes } from '../stage/homes.ts';
import { type BenchInstallation, install } from '../stage/installation.ts';
import { report } from '../stage/report.ts';
import { median, ms, timed, times } from '../stage/sample.ts';

const sizes = [100, 1_000, 10_000] as const;
/** The page size, which divides the 36 archived agents of 100 into two full pages, and those of 10,000 into 552. */
const pageSize = 18;
const rounds = 150;
const warmUp = 50;

interface Page {
  readonly agents: readonly object[];
  readonly nextPageToken?: string;
}

/** An installation with stored agents, and the cursor of the last page of its archive. */
interface Fleet {
  readonly muster: BenchInstallation;
  readonly lastCursor: string;
}

/** The fields of a request that select the page. */
const pages: Readonly<Record<string, (fleet: Fleet) => object>> = {
  'in sight, first page': () => ({ pagination: { pageSize } }),
  'in the archive, first page': () => ({ archived: true, pagination: { pageSize } }),
  'in the archive, last page': ({ lastCursor: cursor }) => ({ archived: true, pagination: { pageSize, cursor } }),
};

/** Measures listing the first and the last page of 100, 1,000 and 10,000 stored agents, in turn. */
export async function benchAgentsList(homes: Homes): Promise<void> {
  const fleets: Fleet[] = [];
  try {
    for (const size of sizes) {
      const muster = await install(await homes.withAgents(size), 'idle');
      fleets.push({ muster, lastCursor: await lastCursor(muster) });
    }
    const rows: string[][] = [];
    for (const [name, requestFor] of Object.entries(pages)) rows.push([name, ...(await measure(fleets, requestFor))]);
    report(
      'list_agents',
      `Medians of ${rounds} calls each over HTTP, ${pageSize} rows a page, the three fleets called in turn.`,
      ['page', '100 agents', '1,000', '10,000', '1,000 to 100', '10,000 to 100'],
      rows,
    );
  } finally {
    for (const { muster } of fleets) await muster.stop();
  }
}

/** The medians of the fleets, and their ratios to that of the first one. */
async function measure(fleets: readonly Fleet[], requestFor: (fleet: Fleet) => object): Promise<readonly string[]> {
  const took: number[][] = fleets.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [index, fleet] of fleets.entries()) {
      const duration = await timed(() => fleet.muster.call('ListAgents', requestFor(fleet)));
      if (round >= 0) took[index]?.push(duration);
    }
  }
  const medians = took.map(median);
  const [first = Number.NaN, ...others] = medians;
  return [...medians.map(ms), ...others.map((one) => times(one / first))];
}

async function lastCursor(muster: BenchInstallation): Promise<string> {
  let cursor = '';
  for (;;) {
    const page: Page = await muster.call('ListAgents', { archived: true, pagination: { pageSize, cursor } });
    if (page.nextPageToken === undefined) return cursor;
    cursor = page.nextPageToken;
  }
}
