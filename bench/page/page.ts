import { settleMs } from '#machines/settle.ts';
import { buildPage } from '#test/page/stage.ts';
import type { Homes } from '../stage/homes.ts';
import { loadInWords, report } from '../stage/report.ts';
import { ms, quantile } from '../stage/sample.ts';
import type { Transition } from '../stage/transition-steps.ts';
import { type Large, measureLarge } from './page-large.ts';
import { type Loads, measureLoads } from './page-loads.ts';
import { measureTabs, type Tabs } from './page-tabs.ts';
import { measureTransitions } from './page-transitions.ts';
import { measureWatchers, type WatcherCost } from './page-watchers.ts';

const defaultSize = 10_000;
const transitionsPerSecond = 100;
const loads = 5;

/** Measures how fast the page loads, how soon it shows transitions, and what a large fleet costs browser and service. */
export async function benchPage(homes: Homes, [size = defaultSize]: readonly number[]): Promise<void> {
  buildPage();
  reportTransitions('one agent', await measureTransitions({ agents: 1, rounds: 26, acts: 6 }));
  reportTransitions('50 agents in the same moment', await measureTransitions({ agents: 50, rounds: 3 }));
  reportLoads(await measureLoads(20, loads));
  const tabs: Tabs[] = [];
  for (const count of [1, 6, 12]) tabs.push(await measureTabs(count));
  reportTabs(tabs);
  reportLarge(size, await measureLarge(size, transitionsPerSecond));
  reportWatchers(size, await measureWatchers(homes, size, transitionsPerSecond, [0, 1, 10, 50]));
}

function reportTransitions(who: string, transitions: readonly Transition[]): void {
  const kinds = ['all', ...new Set(transitions.map(({ kind }) => kind))];
  const spread = (own: readonly Transition[], of: (transition: Transition) => number): string =>
    [0.5, 0.95, 1].map((share) => quantile(own.map(of), share).toFixed(0)).join(' / ');
  report(
    `from a transition in a scripted agent's pane to the page: ${who}`,
    `p50 / p95 / longest in ms; ${loadInWords()}. A pane that shows work or a question settles with its last byte, one at rest ` +
      `${settleMs} ms later, because rest must last that long to count. Target: p95 <= 500 ms from settled to shown. ` +
      'Reported means received on a second stream, which may be later than the page.',
    [
      'transition',
      'transitions',
      'settled to shown',
      'last byte to shown',
      'byte to decided',
      'to committed',
      'to told',
      'to shown',
    ],
    kinds.map((kind) => {
      const own = transitions.filter((transition) => kind === 'all' || transition.kind === kind);
      return [
        kind,
        String(own.length),
        spread(own, (transition) => transition.shownAt - transition.settledAt),
        spread(own, (transition) => transition.shownAt - transition.wroteAt),
        spread(own, (transition) => transition.decidedAt - transition.wroteAt),
        spread(own, (transition) => transition.committedAt - transition.decidedAt),
        spread(own, (transition) => transition.reportedAt - transition.committedAt),
        spread(own, (transition) => transition.shownAt - transition.reportedAt),
      ];
    }),
  );
}

function reportLoads({ coldMs, newProfileMs, warmMs, scriptBytes, requests }: Loads): void {
  report(
    'loading the page until its first agent is shown',
    `Medians of ${loads}; ${loadInWords()}. Script: what is loaded before a pane or a diff is opened.`,
    ['what', 'measured', 'target'],
    [
      ['in a newly started browser', ms(coldMs), '< 1500 ms'],
      ['in a new profile', ms(newProfileMs), '< 1500 ms'],
      ['again in the same profile', ms(warmMs), '< 1500 ms'],
      ['script, gzip', `${(scriptBytes / 1024).toFixed(0)} KB`, '< 300 KB'],
      ['requests', String(requests), ''],
    ],
  );
}

function reportTabs(measured: readonly Tabs[]): void {
  report(
    'many tabs of one browser, which share six connections to one gateway',
    `All are opened together, then each is shown for a moment; ${loadInWords()}.`,
    ['tabs', 'until the front tab is live', 'first call in the last tab', 'later calls, p95'],
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
    `${size} agents with ${transitionsPerSecond} transitions a second, in the browser`,
    `WatcherCost for 15 s, then scrolled through for 10 s, then ${large.transitions} transitions; ${loadInWords()}. On a busy machine frames and ` +
      'tasks also wait for the CPU; their own CPU time shows the cost of the page.',
    ['what', 'measured', 'target'],
    [
      ['until the last agent is loaded', ms(large.loadMs), ''],
      ['CPU of the browser', `${large.cores.toFixed(2)} cores`, '< 0.5 cores'],
      ['CPU of the browser while scrolling', `${large.scrollCores.toFixed(2)} cores`, ''],
      ['frames a second, scrolled', frames.perSecond.toFixed(0), ''],
      ['frames that came late', `${frames.dropped} of ${frames.count}`, ''],
      ['frame, p99', ms(frames.p99Ms), ''],
      ['longest frame', ms(frames.longestMs), '<= 100 ms'],
      ['longest task, with its waiting', ms(tasks.longestMs), ''],
      ['longest task, processor time', ms(tasks.longestOwnMs), '<= 50 ms'],
      ['tasks over 50 ms of processor time', String(tasks.long), '0'],
      ['heap before and after the transitions', `${mib(large.heapBefore)}, ${mib(large.heapAfter)}`, 'no growth'],
    ],
  );
}

function reportWatchers(size: number, watched: readonly WatcherCost[]): void {
  report(
    `what ${size} busy agents and open pages cost the service`,
    `In cores over 10 s; ${transitionsPerSecond} transitions a second are requested; ${loadInWords()}. Only the streams of the pages are simulated.`,
    ['pages', 'transitions a second', 'registry', 'gateway', 'bus', 'rows a second to each page'],
    watched.map(({ pages, transitions, registry, gateway, bus, rows }) => [
      String(pages),
      transitions.toFixed(0),
      ...[registry, gateway, bus].map((cores) => cores.toFixed(2)),
      pages === 0 ? '' : rows.toFixed(0),
    ]),
  );
}
