import type { ApprovalAction, ApprovalRule } from '#contract/approval/approval-rule.ts';
import type { ReadQuestion } from '#contract/approval/asked-question.ts';
import { withinProcessorTime } from '#world/concurrency/processor-time.ts';
import {
  agreesToCommand,
  agreesToPath,
  matchHost,
  matchText,
  type ResolvedPath,
  refusesCommand,
  refusesPath,
} from './matching.ts';

/** How long all rules together may take, in milliseconds of the processor: some are slow on what an agent may ask. */
const rulesMs = 100;

/** A question, and where the file is that it asks about. */
export interface PlacedQuestion {
  readonly question: ReadQuestion;
  /** Undefined if its host could not resolve it. */
  readonly place?: ResolvedPath | undefined;
}

/** What is decided, and the choice to take, by its place in the question. */
export interface Decision {
  readonly action: ApprovalAction;
  /** The rule that decided, counting from one; 0 if none matched. */
  readonly rule: number;
  readonly reason: string;
  readonly choice?: number | undefined;
}

/**
 * What an ordered list of rules decides about a question. A rule that refuses counts before all others; of the others the
 * first that matches. A question that no rule matches, or that rules cannot read in time, is left to a person.
 */
export function decide(rules: readonly ApprovalRule[], asked: PlacedQuestion): Decision {
  const { question } = asked;
  const numbered = rules.map((rule, at) => ({ rule, at }));
  const refusing = numbered.filter(({ rule }) => rule.action === 'APPROVAL_ACTION_REFUSE');
  let tried = -1;
  const found = withinLimits(() => {
    for (const { rule, at } of [...refusing, ...numbered.filter((one) => !refusing.includes(one))]) {
      tried = at;
      if (matchRule(rule, asked)) return at;
    }
    return -1;
  });
  if (found === undefined)
    return ask(tried, 'its expression or glob took too long, or the question is nested too deeply');
  const { action, choice: label } = rules[found] ?? {};
  if (action === undefined) return ask(-1, whyNone(rules, asked));
  if (action === 'APPROVAL_ACTION_REFUSE') {
    if (question.no === undefined) return ask(found, 'it shows no choice that refuses');
    return { action, rule: found + 1, choice: question.no, reason: 'a rule refuses it' };
  }
  if (action !== 'APPROVAL_ACTION_ANSWER') return ask(found, 'a rule leaves it to a person');
  const choice = label ? question.choices.findIndex((one) => one.label === label) : (question.yes ?? -1);
  if (choice < 0) return ask(found, 'it does not show the choice that the rule takes');
  return { action, rule: found + 1, choice, reason: 'a rule agrees' };
}

/** The result of work; undefined if it takes too long, or overflows the stack: agents choose what is read. */
function withinLimits<T>(work: () => T): T | undefined {
  try {
    return withinProcessorTime(rulesMs, work);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Why no rule matches. */
function whyNone(rules: readonly ApprovalRule[], { question, place }: PlacedQuestion): string {
  if (!question.whole) return 'it could not be read as a whole';
  const isUnplaced = question.path !== undefined && place === undefined && rules.some(({ path }) => path !== undefined);
  return isUnplaced
    ? 'no rule matches; rules about files need the host of an agent, which resolves the file'
    : 'no rule matches';
}

function ask(at: number, reason: string): Decision {
  return { action: 'APPROVAL_ACTION_ASK', rule: at + 1, reason };
}

function matchRule(rule: ApprovalRule, asked: PlacedQuestion): boolean {
  const { forms = [], tools = [] } = rule;
  const { form, tool } = asked.question;
  if (!(forms.length === 0 ? form === 'permission' : forms.includes(form))) return false;
  if (tools.length > 0 && !tools.includes(tool)) return false;
  return rule.action === 'APPROVAL_ACTION_ANSWER' ? agrees(rule, asked) : objects(rule, asked);
}

/** Whether a rule agrees: the question was read as a whole, and the rule has a condition on each part of it. */
function agrees(rule: ApprovalRule, { question, place }: PlacedQuestion): boolean {
  if (!question.whole) return false;
  const { form, tool, command, path, host, text } = question;
  const parts: boolean[] = [];
  if (tool === 'shell' || command !== undefined || rule.command)
    parts.push(command !== undefined && rule.command !== undefined && agreesToCommand(command, rule.command));
  if (path !== undefined || rule.path)
    parts.push(place !== undefined && rule.path !== undefined && agreesToPath(place, rule.path));
  if (host !== undefined || rule.host)
    parts.push(host !== undefined && rule.host !== undefined && matchHost(host, rule.host));
  const isNamed = parts.length > 0;
  if (rule.text)
    parts.push((isNamed || form !== 'permission' || rule.text.exact !== undefined) && matchText(text, rule.text));
  return parts.length > 0 && !parts.includes(false);
}

/** Whether a rule refuses, or leaves to a person: it errs on that side. */
function objects(rule: ApprovalRule, { question, place }: PlacedQuestion): boolean {
  const { command, path, host, text } = question;
  const parts: boolean[] = [];
  // What was not read as a whole may be in any of its rows.
  if (rule.command) parts.push(refusesCommand(question.whole && command !== undefined ? command : text, rule.command));
  if (rule.path) parts.push(path !== undefined && refusesPath(path, place, rule.path));
  if (rule.host) parts.push(host !== undefined && matchHost(host, rule.host));
  if (rule.text) parts.push(matchText(text, rule.text));
  return !parts.includes(false);
}
