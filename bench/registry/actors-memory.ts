import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Homes } from '../stage/homes.ts';
import { install } from '../stage/installation.ts';
import { type Memory, measurementFile } from '../stage/memory.ts';
import { report } from '../stage/report.ts';
import type { Rest } from '../stage/seeded-life.ts';

const actors = 1_000;
const rests: readonly { readonly rest: Rest; readonly panes: number }[] = [
  { rest: 'dormant', panes: 0 },
  { rest: 'live', panes: actors },
];

/** How much a host grows with each agent that it takes up. */
export async function benchActorsMemory(homes: Homes): Promise<void> {
  const rows: string[][] = [];
  for (const { rest, panes } of rests) {
    const home = await homes.with({ [rest]: actors });
    const muster = await install(home, 'measured', { BENCH_PANES: String(panes) });
    await muster.stop();
    const { before, after } = JSON.parse(readFileSync(join(home, measurementFile), 'utf8')) as Record<string, Memory>;
    rows.push([rest, ...growth(before, after, 'heap'), ...growth(before, after, 'resident')]);
  }
  report(
    'memory of an actor',
    `A host before and after it took up ${actors} agents with briefings of 1.5 kB, after a garbage collection. The ` +
      'panes of live ones are looked at once, each in a stand-in for a terminal of its own.',
    ['agents', 'heap before', 'heap after', 'heap an actor', 'RSS before', 'RSS after', 'RSS an actor'],
    rows,
  );
}

function growth(before: Memory | undefined, after: Memory | undefined, what: keyof Memory): readonly string[] {
  const [min, max] = [before?.[what] ?? Number.NaN, after?.[what] ?? Number.NaN];
  return [
    `${(min / 1e6).toFixed(1)} MB`,
    `${(max / 1e6).toFixed(1)} MB`,
    `${((max - min) / actors / 1e3).toFixed(1)} kB`,
  ];
}
