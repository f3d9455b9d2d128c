import type { AgentView, StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { FactDraft, MachineDefinition } from '#machines/decide.ts';
import { agentMachine } from './agent.ts';
import { type AgentContext, readAgentContext } from './agent-context.ts';
import { endingOf } from './ending.ts';
import { moveFacts, moveReason } from './move-steps.ts';
import { noticesOf } from './notices.ts';
import { budgetFacts } from './over-budget.ts';
import { parkFacts } from './parking/parking.ts';
import { connectionFacts } from './refused-connections.ts';

/** Reads the view from a stored snapshot. */
export function viewOf(snapshot: StoredSnapshot): AgentView {
  const context = readAgentContext(snapshot);
  const phase = phaseOf(snapshot.value);
  const { checkout } = context;
  return {
    name: context.name,
    state: context.state,
    stateReason: reasonOf(context, phase),
    waitingFor: isAsking(context) ? (context.asked ?? '') : '',
    phase,
    alive: context.paneId !== undefined,
    queued: context.queued !== undefined,
    archived: context.archived,
    gone: phase === 'gone',
    abandoned: context.abandoned ?? false,
    paneId: context.paneId,
    worktreePath: context.worktree?.path,
    worktreeRemoved: context.worktreeRemoved,
    branch: branchOf(context),
    headSha: checkout.headSha,
    repositoryUrl: checkout.repositoryUrl,
    sequenceInProgress: checkout.sequenceInProgress ?? false,
    diff: checkout.diff,
    reportedReason: context.report?.reason ?? '',
    asksUnseen: asksUnseen(context),
    sessionId: context.session?.id,
    harnessVersion: context.harnessVersion,
    refusedConnections: context.refusedConnections ?? [],
    heldAt: context.heldAt,
    overBudget: context.overBudget,
    refusedDeletion: context.refused ?? '',
    fault: faultIn(context),
    endedAt: hasEnded(context, phase) ? context.ended?.at : undefined,
    windowLost: hasEnded(context, phase) && (context.ended?.lost ?? false),
    ending: endingOf(context),
    turns: context.turns,
    movingTo: context.move?.to.host,
    failedMove: context.failedMove ?? '',
    park: parkOf(context),
  };
}

/** The phases whose steps its host performs. */
const hostsPhase = /^(?:settingUp\.(?!briefing\.asked)|archiving$|cleaningUp\.|moving\.)/;

/** Whether its CLI has ended, and it is neither archived nor being restored. */
function hasEnded({ deleted }: AgentContext, phase: string): boolean {
  return phase === 'dormant' || (phase === 'cleaningUp.inspecting' && deleted?.from === 'dormant');
}

/** The detail behind the reason that it has now. */
function faultIn({ fault, reason }: AgentContext): AgentView['fault'] {
  if (fault === undefined || fault.of !== reason) return undefined;
  const { summary, line, output } = fault;
  return { summary, line, output };
}

function parkOf({ park }: AgentContext): AgentView['park'] {
  return park && { ...park, endUnknown: park.looks === undefined ? undefined : true };
}

function reasonOf(context: AgentContext, phase: string): string {
  const { reason: known, unstopped, away, needs } = context;
  const reason = phase === 'cleaningUp.inspecting' ? 'deleting' : (moveReason(context, phase) ?? known);
  if (unstopped !== undefined) return `held, but its turn continues: ${unstopped}`;
  if (needs !== undefined) return `${reason}; ${needs}`;
  if (away === undefined || !hostsPhase.test(phase)) return reason;
  const waits = `waits for host ${away.host}, which has been silent since ${away.since}`;
  return reason === '' ? waits : `${reason}; ${waits}`;
}

/** The branch of its own worktree; a shared directory has another agent's branch. */
function branchOf({ worktree, worktreeRemoved, checkout }: AgentContext): string | undefined {
  if (worktree === undefined) return undefined;
  return checkout.branch ?? (worktreeRemoved ? undefined : worktree.branch);
}

/** Whether it asks a question that can still be answered: its pane must exist. */
function isAsking({ state, paneId }: AgentContext): boolean {
  return state === 'AGENT_STATE_WAITING' && paneId !== undefined;
}

/** Whether its CLI reports a question that its live pane does not show. */
function asksUnseen({ state, asksUnseen = false, paneId }: AgentContext): boolean {
  return asksUnseen && state === 'AGENT_STATE_UNCERTAIN' && paneId !== undefined;
}

/** `{settingUp: 'opening'}` as `settingUp.opening`. */
export function phaseOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Object.entries(value as Record<string, unknown>)
    .map(([state, inner]) => `${state}.${phaseOf(inner)}`)
    .join(',');
}

/** Whether an agent in this phase may be given a prompt, or interrupted. */
export function isAtWork(phase: string): boolean {
  return phase.startsWith('live');
}

/**
 * Whether a question of the CLI may be answered in this phase. It may also be answered before the briefing, which waits
 * for the answer.
 */
export function isAnswerable(phase: string): boolean {
  return isAtWork(phase) || phase === 'settingUp.briefing.asked';
}

/** The agent machine and the facts of its transitions. */
export const agentDefinition: MachineDefinition<typeof agentMachine> = {
  machine: agentMachine,
  factsBetween,
  pausedAt: (snapshot) => readAgentContext(snapshot).away?.left,
};

function factsBetween(before: StoredSnapshot | undefined, after: StoredSnapshot): FactDraft[] {
  const now = viewOf(after);
  if (!before) return [{ kind: 'agent.created', detail: { name: now.name, state: now.state } }];
  const was = viewOf(before);
  const facts: FactDraft[] = [];
  if (was.phase !== now.phase) facts.push({ kind: 'agent.phase-moved', detail: { from: was.phase, to: now.phase } });
  if (was.state !== now.state || was.stateReason !== now.stateReason) {
    facts.push({ kind: 'agent.state-moved', detail: { from: was.state, to: now.state, reason: now.stateReason } });
  }
  if (!was.archived && now.archived) facts.push({ kind: 'agent.archived', detail: {} });
  if (
    now.phase.startsWith('settingUp') &&
    ['archiving', 'archived', 'dormant', 'failedToCleanup'].includes(was.phase)
  ) {
    facts.push({ kind: 'agent.restored', detail: { from: was.phase } });
  }
  facts.push(
    ...moveFacts(readAgentContext(before), readAgentContext(after)),
    ...connectionFacts(readAgentContext(before), readAgentContext(after)),
    ...parkFacts(readAgentContext(before), readAgentContext(after)),
    ...noticesOf(readAgentContext(before), readAgentContext(after), was, now),
  );
  if (was.heldAt !== now.heldAt) {
    facts.push({ kind: now.heldAt === undefined ? 'agent.unheld' : 'agent.held', detail: {} });
  }
  facts.push(...budgetFacts(was, now));
  if (now.gone) {
    const { kept, worktree, abandoned } = readAgentContext(after);
    const detail = kept ? { kept, repository: worktree?.repository } : abandoned ? { abandoned } : {};
    facts.push({ kind: 'agent.gone', detail });
  }
  if (facts.length === 0 && seen(was) !== seen(now)) facts.push({ kind: 'agent.changed', detail: {} });
  return facts;
}

function seen(view: AgentView): string {
  return JSON.stringify(view);
}
