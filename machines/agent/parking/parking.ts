import type { FactDraft } from '#machines/decide.ts';
import type { AgentContext, AgentEvent, ReportedReading } from '../agent-context.ts';
import { isLastLook, lookAfterMs } from './limit-end.ts';
import type { AgentPark } from './park.ts';

type ContextChange = Partial<AgentContext>;

/** The context after a reading: whether it shows a limit, and whether one that was shown is over. */
export function limitAfter({ limit, park }: AgentContext, reading: ReportedReading): ContextChange {
  const { state, reason } = reading;
  if (state === 'AGENT_STATE_THINKING')
    return { limit: undefined, needs: undefined, ...(park?.continues && { park: undefined }) };
  if (reading.limit === undefined) {
    // A draft or an unclear screen says nothing about it.
    if (state === 'AGENT_STATE_UNCERTAIN') return {};
    // While it is being asked to continue, its turn may be over before the host says that it was asked.
    const isOver = state === 'AGENT_STATE_IDLE' && park === undefined;
    return { limit: undefined, needs: undefined, ...(isOver && { tried: undefined }) };
  }
  const isSame = limit?.kind === reading.limit.kind && limit.said === reason;
  if (!isSame) return { limit: { ...reading.limit, said: reason }, needs: undefined };
  const { continues } = reading.limit;
  return limit.continues === continues ? {} : { limit: { ...limit, continues } };
}

/** The context of an agent that is parked. */
export function parkedBy(event: AgentEvent): ContextChange {
  return event.type === 'PARK' ? { park: event.park, needs: undefined } : {};
}

/** The context of an agent that is asked to continue. It counts as tried from now on, so that this happens once. */
export function resuming({ limit, park }: AgentContext): ContextChange {
  return { tried: { until: limit?.until ?? park?.until ?? 0 } };
}

/** Whether the CLI of a parked agent says that it continues by itself, and has not had the time for that yet. */
export function isToContinueAlone({ limit, park }: AgentContext): boolean {
  if (limit?.continues !== true || park?.until === undefined || park.due === undefined) return false;
  return park.looks === undefined && park.due < park.until + maxAloneMs;
}

/** The context of an agent that is left alone a while longer, as its CLI says that it continues by itself. */
export function leftAlone({ park }: AgentContext): ContextChange {
  return park?.due === undefined ? {} : { park: { ...park, due: park.due + aloneMs, continues: true } };
}

/** How often an agent is looked at that is to continue by itself, and how long after the end at most, in milliseconds. */
const [aloneMs, maxAloneMs] = [60_000, 10 * 60_000];

/** The context of an agent whose time is over, and which nobody asks to continue. */
export function lapsed({ limit, heldAt }: AgentContext): ContextChange {
  const needs = limit === undefined || heldAt !== undefined ? undefined : overBy[limit.kind];
  return { park: undefined, needs };
}

const overBy = {
  usage: 'the limit should be over: ask it to continue',
  credential: 'another agent of this account works again: ask it to continue',
} as const;

/** The context of an agent whose screen was read again. */
export function resumed({ limit, tried, park }: AgentContext, event: AgentEvent): ContextChange {
  if (event.type !== 'RESUMED' || park === undefined) return {};
  if (event.outcome === 'looked') return limit === undefined ? { park: undefined } : lookLater(park);
  if (event.outcome === 'left') return { park: undefined, tried: undefined };
  const fails = event.outcome === 'failed' ? event.why : limit === undefined ? undefined : notHelped;
  return { park: undefined, tried, needs: fails };
}

/** The context of an agent that still shows a limit without a known end. */
function lookLater(park: AgentPark): ContextChange {
  const { looks, until, due } = park;
  // A person has set an end meanwhile.
  if (looks === undefined || until === undefined || due === undefined) return {};
  if (isLastLook(looks)) return { park: undefined, needs: neverOver };
  const later = lookAfterMs(looks + 1);
  return { park: { ...park, looks: looks + 1, until: until + later, due: due + later } };
}

const neverOver = 'the limit was not seen to end for a week: ask it to continue';

/** Why a person is needed after an agent did not continue. */
export const notHelped = 'it was asked to continue, which did not help';

/** The context of an agent without any limit, as in a new window. */
export const unlimited: ContextChange = { limit: undefined, park: undefined, needs: undefined, tried: undefined };

/** The facts of a transition about parking. */
export function parkFacts(before: AgentContext, after: AgentContext): FactDraft[] {
  const facts: FactDraft[] = [];
  const { park: was } = before;
  const { park: is, needs } = after;
  if (is !== undefined && shownOf(is) !== shownOf(was)) {
    const { reason, until, account, resume, shownUntil, looks } = is;
    const ends = { ...(until && { until }), ...(shownUntil && { shownUntil }), ...(looks !== undefined && { looks }) };
    const detail = { reason, ...ends, ...(account && { account }), resume };
    facts.push({ kind: 'agent.parked', detail });
  }
  if (was !== undefined && is === undefined) {
    const isResumed = after.tried !== undefined && before.tried !== undefined && needs === undefined;
    facts.push({ kind: isResumed ? 'agent.resumed' : 'agent.unparked', detail: { reason: was.reason } });
  }
  if (needs !== undefined && needs !== before.needs && after.heldAt === undefined) {
    const isAsking = after.state === 'AGENT_STATE_WAITING';
    const detail = { reason: `${after.reason}; ${needs}`, ...(!isAsking && { noQuestion: true }) };
    facts.push({ kind: 'agent.waits', detail });
  }
  return facts;
}

/** What people see of why an agent is parked, to be compared. */
function shownOf(park: AgentPark | undefined): string | undefined {
  return park && JSON.stringify({ ...park, due: undefined, continues: undefined });
}
