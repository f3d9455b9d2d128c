import { settleMs } from '#machines/settle.ts';
import { buildPage } from '#test/page/stage.ts';
import type { Homes } from '../stage/homes.ts';
import type { Move } from '../stage/move-steps.ts';
import { loadInWords, report } from '../stage/report.ts';
import { ms, quantile } from '../stage/sample.ts';
import { type Large, measureLarge } from './page-large.ts';
import { type Loads, measureLoads } from './page-loads.ts';
import { measureMoves } from './page-moves.ts';
import { measureTabs, type Tabs } from './page-tabs.ts';
import { measureWatchers, type Watched } from './page-watchers.ts';

const defaultSize = 10_000;
const movesPerSecond = 100;
const loads = 5;

/** How fast the page loads, how late it shows a change of state, and what a large fleet costs browser and service. */
export async function benchPage(homes: Homes, [size = defaultSize]: readonly number[]): Promise<void> {
  buildPage();
  reportMoves('one agent', await measureMoves({ agents: 1, rounds: 26, acts: 6 }));
  reportMoves('50 agents in the same moment', await measureMoves({ agents: 50, rounds: 3 }));
  reportLoads(await measureLoads(20, loads));
  const tabs: Tabs[] = [];
  for (const count of [1, 6, 12]) tabs.push(await measureTabs(count));
  reportTabs(tabs);
  reportLarge(size, await measureLarge(size, movesPerSecond));
  reportWatchers(size, await measureWatchers(homes, size, movesPerSecond, [0, 1, 10, 50]));
}

function reportMoves(who: string, moves: readonly Move[]): void {
  const kinds = ['all', ...new Set(moves.map(({ kind }) => kind))];
  const spread = (own: readonly Move[], of: (move: Move) => number): string =>
    [0.5, 0.95, 1].map((share) => quantile(own.map(of), share).toFixed(0)).join(' / ');
  report(
    `a move of a scripted agent in its pane, to what the page shows: ${who}`,
    `p50 / p95 / longest in ms; ${loadInWords()}. A pane has settled when its last byte is written where it shows work or a question, ` +
      `which count at once, and ${settleMs} ms later where it shows rest, which must have stood for so long. Wanted: p95 <= 500 ms ` +
      'from settled to shown. What is told is heard on a second stream, which may come after the page.',
    [
      'move',
      'moves',
      'settled to shown',
      'last byte to shown',
      'byte to decided',
      'to committed',
      'to told',
      'to shown',
    ],
    kinds.map((kind) => {
      const own = moves.filter((move) => kind === 'all' || move.kind === kind);
      return [
        kind,
        String(own.length),
        spread(own, (move) => move.shownAt - move.settledAt),
        spread(own, (move) => move.shownAt - move.wroteAt),
        spread(own, (move) => move.decidedAt - move.wroteAt),
        spread(own, (move) => move.committedAt - move.decidedAt),
        spread(own, (move) => move.reportedAt - move.committedAt),
        spread(own, (move) => move.shownAt - move.reportedAt),
      ];
    }),
  );
}

function reportLoads({ coldMs, newProfileMs, warmMs, scriptBytes, requests }: Loads): void {
  report(
    'loading the page, to its first agent',
    `Medians of ${loads}; ${loadInWords()}. Script is all that is loaded before a pane or a diff is opened.`,
    ['what', 'measured', 'wanted'],
    [
      ['in a browser just started', ms(coldMs), '< 1500 ms'],
      ['in a new profile', ms(newProfileMs), '< 1500 ms'],
      ['again in the same profile', ms(warmMs), '< 1500 ms'],
      ['script, gzip', `${(scriptBytes / 1024).toFixed(0)} KB`, '< 300 KB'],
      ['requests', String(requests), ''],
    ],
  );
}

function reportTabs(measured: readonly Tabs[]): void {
  report(
    'many tabs of one browser at one gateway, which has six connections for all of them',
    `All are opened together, then each is looked at for a moment; ${loadInWords()}.`,
    ['tabs', 'opened until the one in front is live', 'looked through until a call is answered', 'calls then, p95'],
    measured.map(({ tabs, restoredMs, firstCallMs, callP95Ms }) => [
      String(tabs),
      ms(restoredMs),
      ms(firstCallMs),
      ms(callP95Ms),
    ]),
  );
}

function reportLarge(size: number, large: Large): void {
  const { frames, tasks } = large;
  const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  report(
    `${size} agents with ${movesPerSecond} moves a second in the browser`,
    `Watched for 15 s, then scrolled through for 10 s, then moved ${large.moves} times; ${loadInWords()}. On a busy machine frames and ` +
      'tasks also wait for their turn: their own processor time says what the page does.',
    ['what', 'measured', 'wanted'],
    [
      ['load to the last agent', ms(large.loadMs), ''],
      ['CPU of the browser', `${large.cores.toFixed(2)} cores`, '< 0.5 cores'],
      ['CPU of the browser, scrolled', `${large.scrollCores.toFixed(2)} cores`, ''],
      ['frames a second, scrolled', frames.perSecond.toFixed(0), ''],
      ['frames that came late', `${frames.dropped} of ${frames.count}`, ''],
      ['frame, p99', ms(frames.p99Ms), ''],
      ['longest frame', ms(frames.longestMs), '<= 100 ms'],
      ['longest task, with its waiting', ms(tasks.longestMs), ''],
      ['longest task, processor time', ms(tasks.longestOwnMs), '<= 50 ms'],
      ['tasks over 50 ms of processor time', String(tasks.long), '0'],
      ['heap before and after the moves', `${mib(large.heapBefore)}, ${mib(large.heapAfter)}`, 'no growth'],
    ],
  );
}

function reportWatchers(size: number, watched: readonly Watched[]): void {
  report(
    `${size} agents that move, followed by open pages: what the service takes`,
    `In cores over 10 s; ${movesPerSecond} moves a second are asked for; ${loadInWords()}. Of a page there is only its stream.`,
    ['pages', 'moves a second', 'registry', 'gateway', 'bus', 'rows a second to each page'],
    watched.map(({ pages, moved, registry, gateway, bus, told }) => [
      String(pages),
      moved.toFixed(0),
      ...[registry, gateway, bus].map((cores) => cores.toFixed(2)),
      pages === 0 ? '' : told.toFixed(0),
    ]),
  );
}
