import type { Command } from 'commander';
import type { Client, ResponseOf } from '#cli/client/client.ts';
import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { proposalLine, verdictLine } from '#cli/why/approvals.ts';
import type { ApprovalAction, ApprovalRule } from '#contract/approval/approval-rule.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';

const method = 'approval.v1.ApprovalService/TestApprovals';
type Tried = ResponseOf<typeof method>;

interface TestFlags extends OutputFlags {
  readonly workflow?: string;
  readonly rules?: string;
  readonly log?: true;
  readonly screen?: string;
  readonly harness?: string;
  readonly width?: number;
}

/** The rules that are tried instead of the agent's own; empty to try those. */
interface GivenRules {
  readonly workflowId?: string;
  readonly rules?: ApprovalRule[];
}

/** `muster approvals test` */
export function defineTest(command: Command, { io, client }: Session): void {
  command
    .description(
      'Says what rules would do with the question of an agent, with those of its last 100 transitions, or with that of a recorded ' +
        'screen. Answers nothing.',
    )
    .option('--workflow <name>', 'the workflow whose rules are tried; by default the agent’s')
    .option('--rules <json>', 'rules to try instead: JSON, @file, or - for standard input')
    .option('--log', 'try them on each question of the agent’s last transitions')
    .option('--screen <text>', 'a recorded screen instead of an agent’s: @file, or - for standard input')
    .option(
      '--harness <name>',
      'the CLI that the recorded screen is of, such as claude; with --log, the one that yours is like',
    )
    .option('--width <columns>', 'the width of the recorded screen; 80 by default', atLeastOne)
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: TestFlags) => {
      const source = textSource(io);
      const { workflow, harness, width } = flags;
      if ((name === undefined) === (flags.screen === undefined))
        throw new Failure('INVALID_USAGE', 'give the name of an agent, or --screen, and not both');
      if (flags.screen !== undefined && harness === undefined)
        throw new Failure('INVALID_USAGE', '--screen needs --harness: name its CLI, such as --harness claude');
      const given: GivenRules = {
        ...(workflow !== undefined && { workflowId: (await findWorkflow(client(), workflow)).id }),
        ...(flags.rules !== undefined && { rules: jsonIn('--rules', await source.read('--rules', flags.rules)) }),
      };
      if (flags.log) {
        const recorded = await tryLog(client(), name, given, harness);
        return writeList(io, flags, recorded, () => recorded.map((one) => `${one.at}  ${testText(one)}`).join('\n'));
      }
      const found = await client().call(method, {
        ...given,
        ...(name !== undefined && { agentId: (await findAgent(client(), name)).id }),
        ...(flags.screen !== undefined && { screen: await source.read('--screen', flags.screen) }),
        ...(harness !== undefined && { harness }),
        ...(width !== undefined && { width }),
      });
      writeRecord(io, flags, found, () => testText(found));
    });
}

/** Rules that a person gave as JSON. An action may be a word, such as `answer`. @throws INVALID_ARGUMENT when it is not JSON */
export function jsonIn<T>(what: string, text: string): T {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === 'action' ? actionOf(value) : value)) as T;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('INVALID_USAGE', `${what} is not JSON (${why})`);
  }
}

const actionWords: Readonly<Record<string, ApprovalAction>> = {
  answer: 'APPROVAL_ACTION_ANSWER',
  ask: 'APPROVAL_ACTION_ASK',
  refuse: 'APPROVAL_ACTION_REFUSE',
};

/** An action by its word on the command line; anything else unchanged. */
function actionOf(value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(actionWords, value) ? actionWords[value] : value;
}

/** What rules would have done with each question of an agent's last transitions, newest first. */
async function tryLog(
  client: Client,
  name: string | undefined,
  given: GivenRules,
  like: string | undefined,
): Promise<(Tried & { readonly at: string })[]> {
  if (name === undefined) throw new Failure('INVALID_USAGE', '--log needs the name of an agent');
  const { id: agentId } = await findAgent(client, name);
  const explained = await client.call('agent.v1.AgentService/ExplainAgent', { agentId, view: 'VIEW_FULL' });
  const { agent = {}, moves = [] } = explained;
  const rules = given.rules || given.workflowId ? given : { workflowId: agent.workflowId ?? '' };
  const tried: (Tried & { readonly at: string })[] = [];
  for (const { at = '', to, screen, harness } of moves) {
    if (to !== 'AGENT_STATE_WAITING' || screen === undefined || harness === undefined) continue;
    const { rowsAbove = 0, text = '', width = 0, height = 0 } = screen;
    const shown = '\n'.repeat(rowsAbove) + text;
    tried.push({
      at,
      ...(await client.call(method, { ...rules, screen: shown, harness: like ?? harness, width, height })),
    });
  }
  return tried;
}

function testText(tried: Tried): string {
  const { question } = tried;
  if (question === undefined) return 'It asks nothing\n';
  const asked = `${question.form}: ${printable((question.text ?? '').replaceAll('\n', ' · '))}\n`;
  return `${asked}${verdictLine(tried)}${proposalLine(tried)}`;
}
