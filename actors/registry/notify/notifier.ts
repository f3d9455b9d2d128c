import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { mayRuleAnswer, noticeKindOf, ruleMs } from '#contract/fact/notice-of-fact.ts';
import type { Notify } from '#contract/fact/notify.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { StoredNotice } from '#store/notify/notice-entity.ts';
import type { NewNotice } from '#store/notify/notice-table.ts';
import type { Tables } from '#store/tables.ts';
import {
  accountNoticeOf,
  backupNoticeOf,
  budgetNoticeOf,
  hostNoticeOf,
  noticeOf,
  toDeliveries,
  workflowsOf,
} from './notice.ts';
import type { NotifierScope } from './notify-scope.ts';
import { notifySetting } from './notify-setting.ts';
import { dueQuestion, questionOf } from './question-notice.ts';

/** How often to check for notices that are due for a retry, in milliseconds. */
const every = 1_000;
/** How long facts are gathered, in milliseconds: a busy fleet appends hundreds a second. */
const gatherMs = 50;
/** How many facts are read from the log at once, and how many notices are sent at once. */
const atOnce = { facts: 500, notices: 8 } as const;
/** The pauses between retries of a failed webhook, in milliseconds. */
const pauses = [5_000, 30_000, 120_000, 600_000] as const;
const setting = 'notified-to';
/** How long a claim of a notice is valid, in milliseconds: longer than sending takes. */
const leaseMs = 60_000;

/**
 * Sends notices of the facts that a person wants to be notified of. It reads the log from where it stopped. Notices are
 * rows, saved in the same transaction as the position in the log. A registry claims a notice before it sends it, so
 * that only one of several registries does. A failing notice does not delay others.
 */
export async function startNotifier(scope: NotifierScope): Promise<Service> {
  const { store, log } = scope;
  let read = await store.write(({ settings, facts }) => placeOf(settings, facts));
  const sending = new Map<number, Promise<void>>();
  const pass = async (): Promise<void> => {
    read = await saveNotices(scope, read);
    const room = atOnce.notices - sending.size;
    if (room <= 0 || (await store.read(({ notices }) => notices.due(1))).length === 0) return;
    for (const notice of await store.write(({ notices }) => notices.claim(room, leaseMs))) {
      const attempt = send(scope, notice)
        .catch((error: unknown) => log.error({ err: error }, 'a notice could not be sent'))
        .finally(() => sending.delete(notice.id));
      sending.set(notice.id, attempt);
    }
  };
  const poller = new Poller({ name: 'notices', every, gatherMs, pass }, scope).start();
  const unsubscribe = store.onFacts(() => poller.wake());
  return {
    async stop() {
      unsubscribe();
      await poller.stop();
      await Promise.all(sending.values());
    },
  };
}

/** The notifier's position in the log; at first the end of the log. */
async function placeOf(settings: Tables['settings'], facts: Tables['facts']): Promise<bigint> {
  const known = await settings.get(setting);
  if (known !== undefined) return BigInt(known);
  const last = await facts.lastSeq();
  await settings.put(setting, String(last));
  return last;
}

/** Saves the notices for the facts after a position in the log. Returns the new position. */
async function saveNotices({ store }: NotifierScope, after: bigint): Promise<bigint> {
  let place = after;
  for (;;) {
    const facts = await store.read(({ facts }) => facts.after(place, atOnce.facts));
    const last = facts.at(-1)?.seq;
    if (last === undefined) return place;
    const notable = facts.filter((fact) => noticeKindOf(fact) !== undefined);
    const moved = notable.length > 0 && (await store.write((tables) => writeNotices(tables, notable, [place, last])));
    place = moved || last;
  }
}

/** Saves notices, unless another registry has already passed `after`: then returns its position. */
async function writeNotices(
  tables: Tables,
  notable: readonly StoredFact[],
  [after, last]: readonly [after: bigint, last: bigint],
): Promise<bigint | undefined> {
  const known = BigInt((await tables.settings.get(setting)) ?? 0);
  if (known > after) return known;
  const recipientsFor = await wanting(tables);
  const agents = await tables.agents.findAll([...new Set(notable.map(({ subjectId }) => subjectId))]);
  const agentsById = new Map(agents.map((agent) => [agent.id, agent]));
  for (const fact of notable) {
    const deliveries = await deliveriesFor(tables, fact, { recipientsFor, agentsById });
    if (deliveries.length > 0) await tables.notices.add(deliveries, delayOf(fact));
  }
  await tables.settings.put(setting, String(last));
  return undefined;
}

/** Looks up who is notified about the agents of a workflow. Each workflow is read once. */
async function wanting(tables: Tables): Promise<(workflowId: string) => Promise<readonly Notify[]>> {
  const everywhere = await notifySetting(tables);
  const known = new Map<string, readonly Notify[]>();
  return async (workflowId) => {
    const found = known.get(workflowId) ?? [everywhere, (await tables.workflows.find(workflowId))?.notify ?? {}];
    known.set(workflowId, found);
    return found;
  };
}

/** Who is notified about what, and the agents that facts are about. */
interface Audience {
  readonly recipientsFor: (workflowId: string) => Promise<readonly Notify[]>;
  readonly agentsById: ReadonlyMap<string, StoredAgent>;
}

/** How long a notice waits: that of a question that a rule may answer, until it has had the time for that. */
function delayOf({ kind, detail }: StoredFact): number {
  return kind === 'agent.waits' && mayRuleAnswer(detail) ? ruleMs : 0;
}

async function deliveriesFor(tables: Tables, fact: StoredFact, audience: Audience): Promise<NewNotice[]> {
  const { recipientsFor, agentsById } = audience;
  if (fact.kind.startsWith('host.')) return deliveriesForHost(tables, fact);
  if (fact.kind.startsWith('budget.')) return deliveriesForBudget(tables, fact, audience);
  if (fact.kind === 'account.limited') return deliveriesForAccount(tables, fact, audience);
  if (fact.kind.startsWith('installation.'))
    return toDeliveries(backupNoticeOf(fact), noticeKindOf(fact), fact.subjectId, [await notifySetting(tables)]);
  const agent = agentsById.get(fact.subjectId);
  const notice = agent && noticeOf(fact, agent);
  if (!agent || !notice) return [];
  return toDeliveries(notice, noticeKindOf(fact), agent.id, await recipientsFor(agent.workflowId));
}

/** Those who are notified about a workflow are also notified about the budgets of its agents and schedules. */
async function deliveriesForBudget(
  tables: Tables,
  fact: StoredFact,
  { recipientsFor, agentsById }: Audience,
): Promise<NewNotice[]> {
  const { subjectId: owner } = fact;
  const user = agentsById.get(owner) ?? (await tables.schedules.find(owner));
  const recipients = await recipientsFor(user?.workflowId ?? owner);
  return toDeliveries(budgetNoticeOf(fact), noticeKindOf(fact), owner, recipients);
}

/** One for each person's address, however many agents and workflows use the account. */
async function deliveriesForAccount(
  tables: Tables,
  fact: StoredFact,
  { recipientsFor }: Audience,
): Promise<NewNotice[]> {
  const notice = accountNoticeOf(fact);
  const wanting = [await notifySetting(tables)];
  for (const workflowId of workflowsOf(fact)) wanting.push(...(await recipientsFor(workflowId)));
  return toDeliveries(notice, noticeKindOf(fact), fact.subjectId, wanting);
}

/** A host belongs to no workflow, so only the general setting applies. */
async function deliveriesForHost(tables: Tables, fact: StoredFact): Promise<NewNotice[]> {
  const host = await tables.hosts.find(fact.subjectId);
  const agents = host && (await tables.agents.countPlaced()).get(host.id)?.agents;
  const notice = host && hostNoticeOf(fact, host, agents ?? 0);
  if (!host || !notice) return [];
  return toDeliveries(notice, noticeKindOf(fact), host.id, [await notifySetting(tables)]);
}

async function send({ store, sender, log, clock, areAnswering }: NotifierScope, notice: StoredNotice): Promise<void> {
  const { agent, through, tries } = notice;
  const question = questionOf(notice);
  const now = clock.now();
  const due = question && (await store.read((tables) => dueQuestion(tables, notice, { question, areAnswering, now })));
  if (due === 'later') return void (await store.write(({ notices }) => notices.defer(notice, ruleMs)));
  const failure = due === 'answered' ? '' : await sender(due ?? notice);
  if (failure === '') return void (await store.write(({ notices }) => notices.remove(notice)));
  const pause = through === 'webhook' ? pauses[tries] : undefined;
  log.warn({ agentId: agent, through, failure, tries: tries + 1 }, 'a notice did not arrive');
  await store.write(async ({ notices, facts }) => {
    if (pause !== undefined) return void (await notices.putOff(notice, pause));
    if (await notices.remove(notice))
      await facts.append([{ kind: 'notice.failed', subjectId: agent, detail: { through, reason: failure } }]);
  });
}
