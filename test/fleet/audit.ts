import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { ReviewThread } from '#contract/review/review-thread.ts';
import type { ScheduleRun } from '#contract/schedule.ts';
import { moment } from '#test/support/moment.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import type { FactWatch } from './fact-watch.ts';
import { type DrillFleet, hosts } from './fleet.ts';
import type { DrillLoad, SentMail } from './load.ts';

const minute = 60_000;
const agentService = 'agent.v1.AgentService';

/** What is found at the end of a drill, as a fresh read shows it. */
export interface Findings {
  /** How much was answered as done, by what it was. */
  readonly acknowledged: Readonly<Record<string, number>>;
  /** Acknowledged data that is missing. */
  readonly lost: readonly string[];
  /** What is there more than once. */
  readonly doubled: readonly string[];
  /** What a watch had missed, or had twice or out of order. */
  readonly watches: readonly string[];
}

/** Compares what was answered as done with what is there. */
export async function audit(fleet: DrillFleet, load: DrillLoad, watches: readonly FactWatch[]): Promise<Findings> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const expectOnce = (what: string, times: number): void => {
    if (times === 0) lost.push(what);
    if (times > 1) doubled.push(`${what} (${times} times)`);
  };
  const firings = await checkSchedules(load, expectOnce);
  await checkAgents(fleet, load, expectOnce);
  checkMails(load, expectOnce, doubled);
  await checkReviews(load, expectOnce);
  const facts = await factsOf(load);
  const { agents, mails, reviews } = load.done;
  return {
    acknowledged: { agents: agents.size, mails: mails.length, reviews: reviews.size, firings, facts: facts.length },
    lost,
    doubled,
    watches: await checkWatches(watches, facts),
  };
}

type Expect = (what: string, times: number) => void;

/** Every agent has one row, one window and has run its prompt once. */
async function checkAgents(fleet: DrillFleet, load: DrillLoad, expectOnce: Expect): Promise<void> {
  const rows = await allAgents(load);
  const keys = [...load.done.agents.keys()];
  const isBriefed = (key: string) => timesRun(load.markOf(key)) > 0;
  // Work in progress ends in time; what is still missing then is lost.
  await moment('all agents have run their prompts', () => keys.every(isBriefed), 120_000).catch(() => undefined);
  const windows = await allWindows(fleet);
  for (const [key, id] of load.done.agents) {
    expectOnce(`agent ${key}`, rows.filter(({ name }) => name === key).length);
    expectOnce(`row of ${key} by its id`, rows.filter((row) => row.id === id).length);
    expectOnce(`window of ${key}`, windows.filter((owner) => owner === id).length);
    expectOnce(`prompt of ${key}`, timesRun(load.markOf(key)));
  }
}

function timesRun(mark: string): number {
  return existsSync(mark) ? readFileSync(mark, 'utf8').trim().split('\n').length : 0;
}

async function allAgents(load: DrillLoad) {
  const rows: NonNullable<AgentRow['agent']>[] = [];
  for (let cursor = ''; ; ) {
    const page = await load.call<{ agents?: AgentRow[]; nextPageToken?: string }>(`${agentService}/ListAgents`, {
      pagination: { pageSize: 200, cursor },
    });
    rows.push(...(page.agents ?? []).flatMap(({ agent }) => agent ?? []));
    cursor = page.nextPageToken ?? '';
    if (cursor === '') return rows;
  }
}

/** The agents of all windows on all hosts, one entry a window. */
async function allWindows(fleet: DrillFleet): Promise<string[]> {
  const windows: string[] = [];
  for (const host of hosts) {
    const terminals = createTmuxTerminals({ runDir: join(fleet.homeOf(host), 'run'), environment: {} });
    for (const family of await terminals.running()) {
      windows.push(...(await (await terminals.of(family)).panes()).map(({ agentId }) => agentId));
    }
    await terminals.detach();
  }
  return windows;
}

/** Every mail was delivered once, and in the order of its sender. */
function checkMails({ done }: DrillLoad, expectOnce: Expect, doubled: string[]): void {
  const keyOf = ({ from, to, count }: SentMail) => `mail ${count} of ${from} to ${to}`;
  const times = Map.groupBy(done.taken, keyOf);
  for (const mail of done.mails) expectOnce(keyOf(mail), times.get(keyOf(mail))?.length ?? 0);
  if (done.takenIds.length !== new Set(done.takenIds).size) doubled.push('a mail was handed over twice');
  for (const [way, mails] of Map.groupBy(done.taken, ({ from, to }) => `${from} to ${to}`)) {
    if (mails.some(({ count }, at) => at > 0 && count <= (mails[at - 1]?.count ?? -1)))
      doubled.push(`mail of ${way} is out of order`);
  }
}

/** Every comment of a released review is there once. */
async function checkReviews(load: DrillLoad, expectOnce: Expect): Promise<void> {
  const bodies: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await load.asImplementer<{ threads?: ReviewThread[]; nextPageToken?: string }>(
      `${agentService}/ListReviewThreads`,
      { pagination: { pageSize: 20, cursor } },
    );
    for (const { messages = [] } of page.threads ?? []) bodies.push(...messages.map(({ body = '' }) => body));
    cursor = page.nextPageToken ?? '';
    if (cursor === '') break;
  }
  for (const comments of load.done.reviews.values())
    for (const comment of comments) expectOnce(comment, bodies.filter((body) => body === comment).length);
}

/** Every minute since a schedule was made has one firing, and each firing one agent; gives how many there are. */
async function checkSchedules(load: DrillLoad, expectOnce: Expect): Promise<number> {
  const until = Math.floor(Date.now() / minute) * minute;
  let count = 0;
  for (const [scheduleId, since] of load.done.schedules) {
    const runs = await moment(
      'all firings have ended',
      async () => {
        const { runs: found = [] } = await load.call<{ runs?: ScheduleRun[] }>(
          'schedule.v1.ScheduleService/ListScheduleRuns',
          { scheduleId, pagination: { pageSize: 200 } },
        );
        const first = Math.ceil(since / minute) * minute;
        const isDue = found.filter(({ scheduledFor = '' }) => Date.parse(scheduledFor) <= until);
        const isThere = isDue.length >= (until - first) / minute + 1;
        return isThere && isDue.every(({ finalizedAt }) => finalizedAt !== undefined) ? isDue : undefined;
      },
      120_000,
    ).catch(() => []);
    const agents = (await allAgents(load)).filter((agent) => agent.scheduleId === scheduleId);
    for (let at = Math.ceil(since / minute) * minute; at <= until; at += minute) {
      const fired = runs.filter(({ scheduledFor = '' }) => Date.parse(scheduledFor) === at);
      const what = `firing of ${scheduleId} at ${new Date(at).toISOString()}`;
      expectOnce(what, fired.length);
      expectOnce(`agent of the ${what}`, agents.filter(({ id }) => fired.some((run) => run.agentId === id)).length);
      count += 1;
    }
    const strays = agents.filter(({ id }) => !runs.some((run) => run.agentId === id));
    for (const { id } of strays) if (runs.length > 0) expectOnce(`agent ${id} of no firing of ${scheduleId}`, 2);
  }
  return count;
}

/** The places of all facts, oldest first. */
async function factsOf(load: DrillLoad): Promise<string[]> {
  const places: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await load.call<{ facts?: Fact[]; nextPageToken?: string }>('fact.v1.FactService/ListFacts', {
      cursor,
      pageSize: 200,
    });
    places.push(...(page.facts ?? []).map(({ seq = '0' }) => String(seq)));
    cursor = page.nextPageToken ?? '';
    if (cursor === '') return places.reverse();
  }
}

/** Every watch had each of the facts once, in order. */
async function checkWatches(watches: readonly FactWatch[], facts: readonly string[]): Promise<string[]> {
  const last = facts.at(-1) ?? '';
  return (
    await Promise.all(
      watches.map(async ({ seen }, at) => {
        await moment('the watch has the last fact', () => seen.includes(last)).catch(() => undefined);
        const until = seen.lastIndexOf(last) + 1;
        const its = new Set(seen.slice(0, until));
        const missing = facts.filter((place) => !its.has(place)).length;
        const twice = until - its.size;
        const disordered = seen.filter(
          (place, index) => index > 0 && BigInt(place) <= BigInt(seen[index - 1] ?? 0),
        ).length;
        return missing + twice + disordered === 0
          ? []
          : [`watch ${at + 1}: ${missing} missing, ${twice} twice, ${disordered} out of order`];
      }),
    )
  ).flat();
}
