import { send } from '#actors/registry/agent/change.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { type AgentEvent, readAgentContext } from '#machines/agent/agent-context.ts';
import { type AgentPark, parkDeadline, type ShownLimit } from '#machines/agent/parking/park.ts';
import { notHelped } from '#machines/agent/parking/parking.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredAccountLimit } from '#store/limit/account-limit-entity.ts';
import { isCurrent } from '#store/limit/account-limit-table.ts';
import { accountOf, userOf } from './account.ts';
import { agentsOf } from './account-agents.ts';
import { isSameEnd, noteLimit, ownLimit } from './note-limit.ts';

/** How long after the end of a limit screens are read again, and the pause between two agents, in milliseconds. */
const [marginMs, pauseMs] = [30_000, 2_000];

/**
 * Parks the agents of an account once one of them shows that it is limited, and frees them once one has worked. Keeps
 * the deadlines of parked agents.
 */
export async function followLimits(writing: Change, commit: AgentCommit, change: AgentChange): Promise<boolean> {
  const [was, is] = [change.before, change.after].map(({ snapshot }) => readAgentContext(snapshot));
  if (was === undefined || is === undefined) return false;
  await keepDeadline(writing, commit.agentId, was.park, is.park);
  if (is.limit !== undefined && JSON.stringify(is.limit) !== JSON.stringify(was.limit)) {
    return limited(writing, change.after, is.limit, is.tried);
  }
  if (hasWorked(commit, change)) await freed(writing, change);
  return false;
}

async function keepDeadline(
  { tables, now }: Change,
  ownerId: string,
  was: AgentPark | undefined,
  is: AgentPark | undefined,
): Promise<void> {
  if (was?.due === is?.due) return;
  const afterMs = is?.due === undefined ? null : Math.max(0, is.due - now);
  await tables.deadlines.set({ owner: 'agent', ownerId }, { [parkDeadline]: afterMs });
}

/** An agent shows a limit. Resolves to whether it was changed. */
async function limited(
  writing: Change,
  agent: StoredAgent,
  limit: ShownLimit,
  tried: { readonly until: number } | undefined,
): Promise<boolean> {
  const { tables, now } = writing;
  const { limit: known, concerns } = await noteLimit(writing, agent, limit);
  const isAgain = tried !== undefined && isSameEnd(tried.until, limit.until);
  const policy = await policyOf(writing, agent);
  const stays = limit.kind === 'usage' && policy === 'ON_USAGE_LIMIT_STAY';
  const why = isAgain ? notHelped : 'its usage limit is reached';
  const event: AgentEvent =
    isAgain || stays
      ? { type: 'LEFT_LIMITED', why }
      : { type: 'PARK', park: parkOf(ownLimit(known, limit, now), policy === 'ON_USAGE_LIMIT_RESUME', 0) };
  const isChanged = await send(writing, agent, event);
  if (concerns === 'agent') return isChanged;
  const { parked, workflows } = await parkOthers(writing, agent, known);
  if (concerns === 'people') {
    const detail = { reason: limit.said, account: known.account, limit: limit.kind, agentId: agent.id };
    const ends = known.until == null || known.due == null ? {} : { until: known.due };
    await tables.facts.append([
      {
        kind: 'account.limited',
        subjectId: agent.host,
        detail: { ...detail, ...ends, parked: parked + (event.type === 'PARK' ? 1 : 0), workflows },
      },
    ]);
  }
  return isChanged;
}

/** Parks the other agents of an account. Resolves to how many, and the workflows of all. */
async function parkOthers(
  writing: Change,
  agent: StoredAgent,
  limit: StoredAccountLimit,
): Promise<{ readonly parked: number; readonly workflows: readonly string[] }> {
  let parked = 0;
  const workflows = new Set([agent.workflowId]);
  for (const one of await agentsOf(writing.tables, limit.key, agent.host)) {
    if (one.id === agent.id || readAgentContext(one.snapshot).park?.reason === 'person') continue;
    const onLimit = await policyOf(writing, one);
    if (limit.kind === 'usage' && onLimit === 'ON_USAGE_LIMIT_STAY') continue;
    parked += 1;
    workflows.add(one.workflowId);
    await send(writing, one, { type: 'PARK', park: parkOf(limit, onLimit === 'ON_USAGE_LIMIT_RESUME', parked) });
  }
  return { parked, workflows: [...workflows] };
}

function parkOf(limit: StoredAccountLimit, resume: boolean, place: number): AgentPark {
  const { kind, since, until, due, account, looks } = limit;
  const park = { reason: kind, since, account, resume };
  if (due == null) return park;
  const ends = { ...park, until: due, due: due + marginMs + place * pauseMs };
  if (until == null) return { ...ends, looks };
  return until > due ? { ...ends, shownUntil: until } : ends;
}

/** What the workflow of an agent wants. */
async function policyOf({ tables }: Change, { workflowId }: StoredAgent): Promise<string> {
  return (await tables.workflows.find(workflowId))?.onUsageLimit ?? 'ON_USAGE_LIMIT_PARK';
}

/** Whether an agent has finished a turn. */
function hasWorked({ facts }: AgentCommit, { before }: AgentChange): boolean {
  return before.state === 'AGENT_STATE_THINKING' && facts.some(({ kind }) => kind === 'agent.finished');
}

/**
 * Frees the agents of a limited account of which one has begun and finished a turn: those that do not show the limit,
 * or all if no end of it was known.
 */
async function freed(writing: Change, { before, after }: AgentChange): Promise<void> {
  const { tables, now } = writing;
  const { key } = await accountOf(tables, userOf(after));
  const limit = await tables.accountLimits.find(key);
  if (limit === undefined || before.stateChangedAt <= limit.since) return;
  await tables.accountLimits.remove(key);
  const isEndKnown = limit.until != null;
  if (isEndKnown && !isCurrent(limit, now)) return;
  await tables.facts.append([
    { kind: 'account.freed', subjectId: after.host, detail: { account: limit.account, agentId: after.id } },
  ]);
  let place = 0;
  for (const one of await agentsOf(tables, key, after.host)) {
    const { park, limit: shown } = readAgentContext(one.snapshot);
    if (park === undefined || park.reason === 'person') continue;
    if (shown === undefined) await send(writing, one, { type: 'UNPARK' });
    else if (!isEndKnown) {
      place += 1;
      const { looks: _, ...known } = park;
      await send(writing, one, { type: 'PARK', park: { ...known, until: now, due: now + place * pauseMs } });
    }
  }
}
