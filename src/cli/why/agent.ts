import type { ResponseOf } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { stateText } from '#cli/print/agent-state.ts';
import type { Entry } from '#cli/print/details.ts';
import { ago } from '#cli/print/duration.ts';
import { refusedText } from '#cli/print/isolation-details.ts';
import { formatOf, type OutputFlags, writeRecord } from '#cli/print/output.ts';
import { inWords } from '#cli/print/words.ts';
import { spentText } from '#contract/budget/budget-text.ts';
import { printable } from '#contract/printable.ts';
import { approvalsOf, approvalsPage } from './approvals.ts';
import { type RulesFlag, readingPage } from './reading-page.ts';
import { transitionLine } from './transitions.ts';

type Explanation = ResponseOf<'agent.v1.AgentService/ExplainAgent'>;

/** How many transitions are printed by default. */
const fewMoves = 5;

/** Says why an agent is in its state. */
export async function explainAgent(session: Session, nameOrId: string, flags: OutputFlags & RulesFlag): Promise<void> {
  const client = session.client();
  const { id } = await findAgent(client, nameOrId);
  const explanation = await client.call('agent.v1.AgentService/ExplainAgent', { agentId: id });
  const isWaiting = explanation.agent?.state === 'AGENT_STATE_WAITING';
  const known = formatOf(session.io, flags) === 'table' ? await approvalsOf(client, id, isWaiting) : undefined;
  const byRule = known === undefined ? '' : approvalsPage(known, session.io.now());
  writeRecord(session.io, flags, explanation, () => explanationPage(session, explanation, flags) + byRule);
}

function explanationPage({ io }: Session, explanation: Explanation, { rules: whole }: RulesFlag): string {
  const { agent = {}, source, sourceReason, readAt, difference, decidedBeyond, moves = [] } = explanation;
  const age = ago(agent.endedAt ?? agent.stateChangedAt, io.now());
  const head = `${printable(agent.name ?? '')} is ${printable(stateText({ agent }))}${age && `, for ${age}`}\n\n`;
  const isLive = source === 'EXPLANATION_SOURCE_LIVE';
  const before: Entry[] = decidedBeyond
    ? [
        ['state', stateText({ agent })],
        ['because', decidedBeyond],
        ['reported', agent.reportedReason],
      ]
    : [];
  const more: Entry[] = [
    ['read', isLive ? `from its pane, at ${readAt}` : readAt && `on record, at ${readAt}`],
    ['not read', sourceReason && inWords(sourceReason)],
    ['but', difference && inWords(difference)],
    ['held', agent.overBudget && `${spentText(agent.overBudget)}: muster budget continue releases it`],
    ['refused', refusedText(agent)],
  ];
  const page = readingPage(io, explanation, { before, more, whole, harnessVersion: agent.harnessVersion });
  const shown = moves.slice(0, fewMoves).map((move) => `${transitionLine(move)}\n`);
  const further =
    moves.length > shown.length ? `… ${moves.length - shown.length} more, with their screens: --transitions\n` : '';
  return `${head}${page}${shown.length > 0 ? `\nLAST TRANSITIONS\n${shown.join('')}${further}` : ''}`;
}
