import { send } from '#actors/registry/agent/change.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import { type AgentPark, parkDeadline, type ShownLimit } from '#machines/agent/park.ts';
import { notHelped } from '#machines/agent/parking.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredAccountLimit } from '#store/limit/account-limit-entity.ts';
import { accountOf, userOf } from './account.ts';
import { agentsOf } from './account-agents.ts';

/** How long after the end of a limit screens are read again, and the pause between two agents, in milliseconds. */
const [marginMs, pauseMs] = [30_000, 2_000];
/** Ends of limits that are closer than this are the same, in milliseconds: some CLIs round them. */
const sameMs = 10 * 60_000;

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

/** Whether the deadline of a parked agent fires before its time, because the clock was set. Sets it again if so. */
export async function isParkedOn(writing: Change, agent: StoredAgent): Promise<boolean> {
  const { due } = readAgentContext(agent.snapshot).park ?? {};
  if (due === undefined || due <= writing.now) return false;
  await keepDeadline(writing, agent.id, undefined, readAgentContext(agent.snapshot).park);
  return true;
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
  const { tables } = writing;
  const known = await noteLimit(writing, agent, limit);
  const isAgain = tried !== undefined && (limit.until ?? 0) < tried.until + sameMs;
  const policy = await policyOf(writing, agent);
  if (isAgain || (limit.kind === 'usage' && policy === 'ON_USAGE_LIMIT_STAY')) {
    const why = isAgain ? notHelped : 'its usage limit is reached';
    return (await send(writing, agent, { type: 'LEFT_LIMITED', why })) || known.isNew;
  }
  const own = { ...known.limit, until: limit.until ?? known.limit.until };
  const resumes = policy === 'ON_USAGE_LIMIT_RESUME';
  const isParked = await send(writing, agent, { type: 'PARK', park: parkOf(own, resumes, 0) });
  if (!known.isNew) return isParked;
  let place = 0;
  const workflows = new Set([agent.workflowId]);
  for (const one of await agentsOf(tables, known.limit.key, agent.host)) {
    if (one.id === agent.id || readAgentContext(one.snapshot).park?.reason === 'person') continue;
    const onLimit = await policyOf(writing, one);
    if (limit.kind === 'usage' && onLimit === 'ON_USAGE_LIMIT_STAY') continue;
    place += 1;
    workflows.add(one.workflowId);
    await send(writing, one, { type: 'PARK', park: parkOf(known.limit, onLimit === 'ON_USAGE_LIMIT_RESUME', place) });
  }
  const detail = { reason: limit.said, account: known.limit.account, limit: limit.kind, agentId: agent.id };
  const until = known.limit.until == null ? {} : { until: known.limit.until };
  await tables.facts.append([
    {
      kind: 'account.limited',
      subjectId: agent.host,
      detail: { ...detail, ...until, parked: place + 1, workflows: [...workflows] },
    },
  ]);
  return isParked;
}

/** The limit of an agent's account, with what its screen adds, and whether that is new. */
async function noteLimit(
  { tables, now }: Change,
  agent: StoredAgent,
  { kind, until }: ShownLimit,
): Promise<{ readonly limit: StoredAccountLimit; readonly isNew: boolean }> {
  const { key, name } = await accountOf(tables, userOf(agent));
  const known = await tables.accountLimits.current(key);
  const isSame = known?.kind === kind && (until ?? 0) < (known.until ?? Number.POSITIVE_INFINITY) + sameMs;
  if (known !== undefined && isSame) return { limit: known, isNew: false };
  const limit = { key, kind, account: name, since: now, until: until ?? null };
  // The screen shows an end that has just passed: that is no limit of the others any more.
  const isOver = until !== undefined && until <= now;
  if (!isOver) await tables.accountLimits.set(limit);
  return { limit, isNew: !isOver };
}

function parkOf({ kind, since, until, account }: StoredAccountLimit, resume: boolean, place: number): AgentPark {
  const ends = until == null ? {} : { until, due: until + marginMs + place * pauseMs };
  return { reason: kind, since, ...ends, account, resume };
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
 * or all if the credential was refused.
 */
async function freed(writing: Change, { before, after }: AgentChange): Promise<void> {
  const { tables, now } = writing;
  const { key } = await accountOf(tables, userOf(after));
  const limit = await tables.accountLimits.current(key);
  if (limit === undefined || before.stateChangedAt <= limit.since) return;
  await tables.accountLimits.remove(key);
  await tables.facts.append([
    { kind: 'account.freed', subjectId: after.host, detail: { account: limit.account, agentId: after.id } },
  ]);
  let place = 0;
  for (const one of await agentsOf(tables, key, after.host)) {
    const { park, limit: shown } = readAgentContext(one.snapshot);
    if (park === undefined || park.reason === 'person') continue;
    if (shown === undefined) await send(writing, one, { type: 'UNPARK' });
    else if (limit.kind === 'credential') {
      place += 1;
      const due = now + place * pauseMs;
      await send(writing, one, { type: 'PARK', park: { ...park, until: now, due } });
    }
  }
}
