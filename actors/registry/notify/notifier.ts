import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { noticeKindOf } from '#contract/fact/notice-of-fact.ts';
import type { Notify } from '#contract/fact/notify.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { StoredNotice } from '#store/notify/notice-entity.ts';
import type { NewNotice } from '#store/notify/notice-table.ts';
import type { Tables } from '#store/store.ts';
import { hostNoticeOf, noticeOf, toDeliveries } from './notice.ts';
import type { NotifierScope } from './notify-scope.ts';
import { notifySetting } from './notify-setting.ts';

/** How often it is looked for notices that are to be tried again, in milliseconds. */
const every = 1_000;
/** How many facts are read from the log together, and how many notices are in progress at once. */
const atOnce = { facts: 500, notices: 8 } as const;
/** After how long a webhook that failed is tried again, time after time, in milliseconds. */
const pauses = [5_000, 30_000, 120_000, 600_000] as const;
const setting = 'notified-to';
/** For how long a notice is a sender's own, in milliseconds: longer than a sending takes. */
const leaseMs = 60_000;

/**
 * Sends a notice for each fact that a person wants to be notified of, from where it left off: a notice is a row before
 * it is sent, in the same write that moves on in the log. It is claimed before it is sent, so that of several registries
 * one sends it. One that fails holds up no other.
 */
export async function startNotifier(scope: NotifierScope): Promise<Service> {
  const { store, log } = scope;
  let read = await store.write(({ settings, facts }) => placeOf(settings, facts));
  const underWay = new Map<number, Promise<void>>();
  const pass = async (): Promise<void> => {
    read = await takeDown(scope, read);
    const room = atOnce.notices - underWay.size;
    if (room <= 0 || (await store.read(({ notices }) => notices.due(1))).length === 0) return;
    for (const notice of await store.write(({ notices }) => notices.claim(room, leaseMs))) {
      const sending = send(scope, notice)
        .catch((error: unknown) => log.error({ err: error }, 'a notice could not be sent'))
        .finally(() => underWay.delete(notice.id));
      underWay.set(notice.id, sending);
    }
  };
  const poller = new Poller({ name: 'notices', every, pass }, scope).start();
  const stopHearing = store.onFacts(() => poller.wake());
  return {
    async stop() {
      stopHearing();
      await poller.stop();
      await Promise.all(underWay.values());
    },
  };
}

/** The notifier's position in the log: its end if nothing was ever sent. */
async function placeOf(settings: Tables['settings'], facts: Tables['facts']): Promise<bigint> {
  const known = await settings.get(setting);
  if (known !== undefined) return BigInt(known);
  const last = await facts.lastSeq();
  await settings.put(setting, String(last));
  return last;
}

/** Saves the notices for the facts after a place; returns the place up to which that is done. */
async function takeDown({ store }: NotifierScope, after: bigint): Promise<bigint> {
  let place = after;
  for (;;) {
    const facts = await store.read(({ facts }) => facts.after(place, atOnce.facts));
    const last = facts.at(-1)?.seq;
    if (last === undefined) return place;
    const notable = facts.filter((fact) => noticeKindOf(fact) !== undefined);
    const moved = notable.length > 0 && (await store.write((tables) => writeNotices(tables, notable, place, last)));
    place = moved || last;
  }
}

/** Saves them, unless another registry has got further than `after`: returns how far then. */
async function writeNotices(
  tables: Tables,
  notable: readonly StoredFact[],
  after: bigint,
  last: bigint,
): Promise<bigint | undefined> {
  const known = BigInt((await tables.settings.get(setting)) ?? 0);
  if (known > after) return known;
  const deliveries: NewNotice[] = [];
  const recipientsFor = await wanting(tables);
  for (const fact of notable) deliveries.push(...(await deliveriesFor(tables, fact, recipientsFor)));
  await tables.notices.add(deliveries);
  await tables.settings.put(setting, String(last));
  return undefined;
}

/** Who is notified about the agents of a workflow: each is read once. */
async function wanting(tables: Tables): Promise<(workflowId: string) => Promise<readonly Notify[]>> {
  const everywhere = await notifySetting(tables);
  const known = new Map<string, readonly Notify[]>();
  return async (workflowId) => {
    const found = known.get(workflowId) ?? [everywhere, (await tables.workflows.find(workflowId))?.notify ?? {}];
    known.set(workflowId, found);
    return found;
  };
}

async function deliveriesFor(
  tables: Tables,
  fact: StoredFact,
  recipientsFor: (workflowId: string) => Promise<readonly Notify[]>,
): Promise<NewNotice[]> {
  if (fact.kind.startsWith('host.')) return deliveriesForHost(tables, fact);
  const agent = await tables.agents.find(fact.subjectId);
  const notice = agent && noticeOf(fact, agent);
  if (!agent || !notice) return [];
  return toDeliveries(notice, noticeKindOf(fact), agent.id, await recipientsFor(agent.workflowId));
}

/** A host belongs to no workflow: those who are notified of everything are notified of it. */
async function deliveriesForHost(tables: Tables, fact: StoredFact): Promise<NewNotice[]> {
  const host = await tables.hosts.find(fact.subjectId);
  const agents = host && (await tables.agents.countByHost()).get(host.id);
  const notice = host && hostNoticeOf(fact, host, agents ?? 0);
  if (!host || !notice) return [];
  return toDeliveries(notice, noticeKindOf(fact), host.id, [await notifySetting(tables)]);
}

async function send({ store, sender, log }: NotifierScope, notice: StoredNotice): Promise<void> {
  const { agent, through, tries } = notice;
  const failure = await sender(notice);
  if (failure === '') return void (await store.write(({ notices }) => notices.remove(notice)));
  const pause = through === 'webhook' ? pauses[tries] : undefined;
  log.warn({ agentId: agent, through, failure, tries: tries + 1 }, 'a notice did not arrive');
  await store.write(async ({ notices, facts }) => {
    if (pause !== undefined) return void (await notices.putOff(notice, pause));
    if (await notices.remove(notice))
      await facts.append([{ kind: 'notice.failed', subjectId: agent, detail: { through, reason: failure } }]);
  });
}
