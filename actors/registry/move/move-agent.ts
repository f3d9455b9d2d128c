import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { phaseOfAgent } from '#actors/registry/agent/agent-standing.ts';
import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { isLost } from '#actors/registry/host/online.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { elapsedText } from '#contract/elapsed.ts';
import { Failure } from '#contract/failure.ts';
import { moveAgent } from '#contract/operations/move.ts';
import { quoted } from '#contract/quoted.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { MoveOptions } from '#machines/agent/move.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRoundPackage } from '#store/departure/round-package-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { chooseTarget, type MoveRequest } from './choose-target.ts';
import { notPossible, requireMovable, withParent } from './movable.ts';
import type { MoveScope } from './move-scope.ts';

/** A move that has begun, or begins once the agent is at rest. */
interface MoveStart {
  readonly agent: Agent;
  readonly notCarried: string[];
  readonly mayBeMissing: string[];
  readonly hostId: string;
}

/** Begins to move an agent, or ends its move. */
export const moveAgentHandler = handler(
  moveAgent,
  ({ cancel = false, gone = false, ...request }, caller, scope: MoveScope) => {
    if (gone && !cancel) {
      throw new Failure('CONFLICTING_FIELDS', 'gone is true, and cancel is not: gone goes only with cancel', {
        field: 'gone',
      });
    }
    return cancel ? cancelMove(scope, { agentId: request.agentId, gone }, caller) : startMove(scope, request, caller);
  },
);

async function cancelMove(
  scope: MoveScope,
  { agentId, gone }: { readonly agentId: string; readonly gone: boolean },
  caller: Caller,
) {
  const agent = await change(scope, async (writing) => {
    const { agents } = writing.tables;
    const found = await agentToChange(writing, agentId);
    const isReturning = /^moving\.(?:undoing|returning)/.test(phaseOfAgent(found));
    if (found.movingTo == null || (isReturning && !gone)) return wholeAgent(agents, found, caller);
    if (gone) await requireGone(writing, found);
    const event = { type: 'CANCEL_MOVE', ...(gone && { gone }) } as const;
    const cancelled = await sendRequired(writing, found, event, moveAgent.method);
    return wholeAgent(agents, (await agents.find(agentId)) ?? cancelled, caller);
  });
  return { agent, notCarried: [], mayBeMissing: [] };
}

/**
 * Checks that both hosts can do what a move needs, and has the agent move once it is at rest.
 * @throws Failure that says what is missing, before anything has changed
 */
export async function startMove(scope: MoveScope, asked: MoveRequest, caller: Caller): Promise<MoveStart> {
  const { agent, request } = await scope.store.read(async (tables) => {
    const found = await findAgent(tables.agents, asked.agentId);
    await requireMovable(tables, found);
    return { agent: found, request: await withParent(tables, found, asked) };
  });
  const target = await chooseTarget(scope, agent, request);
  const { host, cwd, known, notCarried, round } = target;
  return change(scope, async (writing) => {
    const found = await agentToChange(writing, agent.id);
    await requireMovable(writing.tables, found);
    if (found.epoch !== agent.epoch) throw notPossible(found, 'it was placed on another host meanwhile: try again');
    await requireNothingLeft(writing, found, host.id, host.name);
    const own = await writing.tables.hosts.find(found.host);
    const order: MoveOptions = {
      id: writing.ids.id('mov'),
      from: { hostId: found.host, host: own?.name ?? found.host, cwd: found.launch.cwd },
      to: { hostId: host.id, host: host.name, cwd },
      known,
      ...(round && { fromRound: true as const, package: { bytes: round.bytes, digest: round.digest } }),
    };
    await sendRequired(writing, found, { type: 'MOVE', order }, moveAgent.method);
    const after = (await writing.tables.agents.find(found.id)) ?? found;
    return {
      agent: await wholeAgent(writing.tables.agents, after, caller),
      notCarried: [...notCarried],
      mayBeMissing: round === undefined ? [] : missingSince(round, own, writing.now),
      hostId: host.id,
    };
  });
}

/**
 * @throws HOST_STILL_HEARD when the host that an agent moves to, on which it may run, is not lost; CONFLICTING_FIELDS
 * when it   is not there yet
 */
async function requireGone({ tables: { hosts } }: Change, agent: StoredAgent): Promise<void> {
  const { move } = readAgentContext(agent.snapshot);
  if (agent.host !== move?.to.hostId) {
    throw new Failure(
      'CONFLICTING_FIELDS',
      `gone is true, and agent ${describeAgent(agent)} is not on the host that it moves to: leave gone out`,
      { field: 'gone' },
    );
  }
  const host = await hosts.find(agent.host);
  if (host === undefined || isLost(host)) return;
  throw new Failure(
    'HOST_STILL_HEARD',
    `gone is true, and the host that agent ${describeAgent(agent)} moves to, ${quoted(host.name)}, is not lost: leave gone ` +
      'out, or wait until it is lost (update_host sets after how much silence)',
    { field: 'gone' },
  );
}

/** @throws FAILED_PRECONDITION when the agent was on that host before, which still has to remove what it left */
async function requireNothingLeft(
  { tables: { departures } }: Change,
  agent: StoredAgent,
  hostId: string,
  host: string,
): Promise<void> {
  if ((await departures.find(agent.id, hostId)) === undefined) return;
  throw notPossible(agent, `${host} has not yet taken away what it left there: wait until it has`);
}

/** What may be missing after a move from the last round. */
function missingSince({ round, at }: StoredRoundPackage, own: StoredHost | undefined, now: number): string[] {
  const since = `round ${round} of ${timeOf(at)}, ${elapsedText(now - at)} ago`;
  const there = own?.name ?? 'its host';
  return [
    `everything since ${since}: commits that were not pushed, uncommitted and untracked files, and its conversation`,
    `its worktree on ${there} stays there; if the host returns, muster closes the agent’s window there and keeps the files`,
  ];
}
