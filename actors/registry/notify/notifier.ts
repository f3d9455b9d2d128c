import { noticeKindOf } from '#contract/fact/notice-of-fact.ts';
import type { Notify } from '#contract/fact/notify.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { StoredNotice } from '#store/notify/notice-entity.ts';
import type { NewNotice } from '#store/notify/notice-table.ts';
import type { Tables } from '#store/store.ts';
import { hostNoticeOf, noticeOf, parcelsOf } from './notice.ts';
import type { NotifyScope } from './notify-scope.ts';
import { notifySetting } from './notify-setting.ts';

/** How often it is looked for notices that are to be tried again, in milliseconds. */
const every = 1_000;
/** How many facts are read from the log together, and how many notices are under way at once. */
const atOnce = { facts: 500, notices: 8 } as const;
/** After how long a webhook that failed is tried again, time after time, in milliseconds. */
const pauses = [5_000, 30_000, 120_000, 600_000] as const;
const setting = 'notified-to';

/** Tells people of agents and hosts until it is stopped. */
export interface Notifier {
  stop(): Promise<void>;
}

/**
 * Sends a notice for each fact that a person wants to be told of, from where it left off: a notice is a row before it is sent,
 * in the same write that moves on in the log. One that fails holds up no other.
 */
export async function startNotifier(scope: NotifyScope): Promise<Notifier> {
  const { store, log } = scope;
  let read = await store.write(({ settings, facts }) => placeOf(settings, facts));
  const underWay = new Map<number, Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  const look = (): void => {
    if (stopped) return;
    looking ??= round()
      .catch((error: unknown) => log.error({ err: error }, 'notices could not be looked at'))
      .finally(() => {
        looking = undefined;
      });
  };
  const round = async (): Promise<void> => {
    read = await takeDown(scope, read);
    const due = await store.read(({ notices }) => notices.due(atOnce.notices + underWay.size));
    for (const notice of due) {
      if (underWay.size >= atOnce.notices) return;
      if (underWay.has(notice.id)) continue;
      const sending = send(scope, notice)
        .catch((error: unknown) => log.error({ err: error }, 'a notice could not be sent'))
        .finally(() => underWay.delete(notice.id));
      underWay.set(notice.id, sending);
    }
  };
  const stopHearing = store.onFacts(look);
  const timer = setInterval(look, every);
  look();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      stopHearing();
      await looking;
      await Promise.all(underWay.values());
    },
  };
}

/** Where the telling stands in the log: at its end where nothing was ever told. */
async function placeOf(settings: Tables['settings'], facts: Tables['facts']): Promise<bigint> {
  const known = await settings.get(setting);
  if (known !== undefined) return BigInt(known);
  const last = await facts.lastSeq();
  await settings.put(setting, String(last));
  return last;
}

/** Writes down what is to be told of the facts after a place; gives the place up to which that was done. */
async function takeDown({ store }: NotifyScope, after: bigint): Promise<bigint> {
  let place = after;
  for (;;) {
    const news = await store.read(({ facts }) => facts.after(place, atOnce.facts));
    const last = news.at(-1)?.seq;
    if (last === undefined) return place;
    const notable = news.filter((fact) => noticeKindOf(fact) !== undefined);
    if (notable.length > 0) await store.write((tables) => writeNotices(tables, notable, last));
    place = last;
  }
}

async function writeNotices(tables: Tables, notable: readonly StoredFact[], last: bigint): Promise<void> {
  const parcels: NewNotice[] = [];
  const wantingOf = await wanting(tables);
  for (const fact of notable) parcels.push(...(await parcelsFor(tables, fact, wantingOf)));
  await tables.notices.add(parcels);
  await tables.settings.put(setting, String(last));
}

/** Who wants to be told of the agents of a workflow: each is read once. */
async function wanting(tables: Tables): Promise<(workflowId: string) => Promise<readonly Notify[]>> {
  const everywhere = await notifySetting(tables);
  const known = new Map<string, readonly Notify[]>();
  return async (workflowId) => {
    const found = known.get(workflowId) ?? [everywhere, (await tables.workflows.find(workflowId))?.notify ?? {}];
    known.set(workflowId, found);
    return found;
  };
}

async function parcelsFor(
  tables: Tables,
  fact: StoredFact,
  wantingOf: (workflowId: string) => Promise<readonly Notify[]>,
): Promise<NewNotice[]> {
  if (fact.kind.startsWith('host.')) return parcelsForHost(tables, fact);
  const agent = await tables.agents.find(fact.subjectId);
  const notice = agent && noticeOf(fact, agent);
  if (!agent || !notice) return [];
  return parcelsOf(notice, noticeKindOf(fact), agent.id, await wantingOf(agent.workflowId));
}

/** A host is no workflow's: whom the person wants to be told of everything is told of it. */
async function parcelsForHost(tables: Tables, fact: StoredFact): Promise<NewNotice[]> {
  const host = await tables.hosts.find(fact.subjectId);
  const agents = host && (await tables.agents.countByHost()).get(host.id);
  const notice = host && hostNoticeOf(fact, host, agents ?? 0);
  if (!host || !notice) return [];
  return parcelsOf(notice, noticeKindOf(fact), host.id, [await notifySetting(tables)]);
}

async function send({ store, courier, log }: NotifyScope, notice: StoredNotice): Promise<void> {
  const { id, agent, through, tries } = notice;
  const failure = await courier(notice);
  if (failure === '') return store.write(({ notices }) => notices.remove(id));
  const pause = through === 'webhook' ? pauses[tries] : undefined;
  log.warn({ agentId: agent, through, failure, tries: tries + 1 }, 'a notice did not arrive');
  await store.write(async ({ notices, facts }) => {
    if (pause !== undefined) return notices.putOff(id, tries + 1, pause);
    await notices.remove(id);
    await facts.append([{ kind: 'notice.failed', subjectId: agent, detail: { through, reason: failure } }]);
  });
}
