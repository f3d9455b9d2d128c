import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Homes } from '../stage/homes.ts';
import { install } from '../stage/installation.ts';
import { type Memory, measurementFile } from '../stage/memory.ts';
import { report } from '../stage/report.ts';
import type { SeededState } from '../stage/seeded-history.ts';

const actors = 1_000;
const rests: readonly { readonly rest: SeededState; readonly panes: number }[] = [
  { rest: 'dormant', panes: 0 },
  { rest: 'live', panes: actors },
];

/** Measures how much memory a host needs for each agent. */
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
    `A host before and after it took over ${actors} agents with briefings of 1.5 kB, after garbage collection. The ` +
      'pane of each live agent is captured once, in its own fake terminal.',
    ['agents', 'heap before', 'heap after', 'heap per actor', 'RSS before', 'RSS after', 'RSS per actor'],
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
