import type { Client, ResponseOf } from '#cli/client/client.ts';
import { ago } from '#cli/print/duration.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';

type Tried = ResponseOf<'approval.v1.ApprovalService/TestApprovals'>;
type Facts = NonNullable<ResponseOf<'fact.v1.FactService/ListFacts'>['facts']>;

/** How many of the last answers by rule are printed. */
const fewAnswers = 5;

/** What rules do with an agent's question, and what they last answered. */
export interface KnownApprovals {
  /** Undefined if it asks nothing. */
  readonly tried: Tried | undefined;
  readonly answers: Facts;
}

/** What rules have to do with an agent's state. Agents do not see rules, so there is nothing for them. */
export async function approvalsOf(client: Client, agentId: string, isWaiting: boolean): Promise<KnownApprovals> {
  try {
    const { facts = [] } = await client.call('fact.v1.FactService/ListFacts', {
      subjectId: agentId,
      kinds: ['agent.approved'],
      pageSize: fewAnswers,
    });
    const tried = isWaiting ? await client.call('approval.v1.ApprovalService/TestApprovals', { agentId }) : undefined;
    return { tried, answers: facts };
  } catch (error) {
    if (error instanceof Failure) return { tried: undefined, answers: [] };
    throw error;
  }
}

/** `approvals  ask by rule 2 (a rule leaves it to a person)`, and the last answers by rule. */
export function approvalsPage({ tried, answers }: KnownApprovals, now: number): string {
  const asked = tried?.question === undefined ? '' : `\nAPPROVALS\n${verdictLine(tried)}${proposalLine(tried)}`;
  const lines = answers.map(({ at, detail = '{}' }) => `${answerLine(JSON.parse(detail), ago(at, now))}\n`);
  return asked + (lines.length === 0 ? '' : `\nLAST ANSWERS BY RULE\n${lines.join('')}`);
}

/** What rules do with a question, such as `answer by rule 1: Yes (a rule agrees)`. */
export function verdictLine({ verdict, enabled }: Tried): string {
  const { action = '', rule = 0, choice = '', reason = '' } = verdict ?? {};
  const by = rule === 0 ? '' : ` by rule ${rule}`;
  const taken = choice === '' ? '' : `: ${choice}`;
  const off = enabled === false ? 'Rules are out of force: `muster approvals on`\n' : '';
  return `${action.replace('APPROVAL_ACTION_', '').toLowerCase()}${by}${printable(taken)} (${reason})\n${off}`;
}

/** The rule that would agree, as `muster approvals add` takes it. */
export function proposalLine({ proposal }: Tried): string {
  return proposal === undefined ? '' : `A rule that agrees: ${printable(JSON.stringify(proposal))}\n`;
}

/** `2m ago  rule 1: Yes  git status` */
function answerLine({ rule, choice, command, path, host, text }: Readonly<Record<string, unknown>>, when: string) {
  const about = [command, path, host, text].find((one) => typeof one === 'string') ?? '';
  return printable(`${when} ago  rule ${rule}: ${choice}  ${String(about).replaceAll('\n', ' · ')}`);
}
