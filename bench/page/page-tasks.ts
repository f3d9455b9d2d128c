import type { Page } from 'playwright-core';

/** The longest tasks of a page's main thread during some work, in milliseconds. */
export interface Tasks {
  readonly longestMs: number;
  /** In CPU time: on a busy machine a task also waits for the CPU. */
  readonly longestOwnMs: number;
  /** How many took more than 50 ms of CPU time. */
  readonly long: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Traces the browser during some work. */
export async function tasksDuring(page: Page, work: () => Promise<unknown>): Promise<Tasks> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'toplevel' });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const mains = new Set(events.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf));
  const tasks = events.filter((one) => one.ph === 'X' && one.name.endsWith('RunTask') && mains.has(threadOf(one)));
  const own = tasks.map(({ tdur = 0 }) => tdur / 1_000);
  return {
    longestMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1_000)),
    longestOwnMs: Math.max(0, ...own),
    long: own.filter((ms) => ms > 50).length,
  };
}
