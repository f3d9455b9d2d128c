import type { ApprovalPattern, ApprovalRule } from '#contract/approval/approval-rule.ts';
import { questionTools } from '#contract/approval/asked-question.ts';
import { Failure } from '#contract/failure.ts';
import { patternFault } from '#contract/pane/pattern-safety.ts';
import { quoted } from '#contract/quoted.ts';

const parts = ['command', 'path', 'host', 'text'] as const;

const known: ReadonlySet<string> = new Set(questionTools);

/** Checks rules before they are stored. @throws INVALID_ARGUMENT when one could never mean what it says */
export function checkRules(rules: readonly ApprovalRule[], field: 'rules' | 'rule' = 'rules'): void {
  for (const [at, rule] of rules.entries()) {
    const fault = faultOf(rule);
    const which = field === 'rules' ? `rules: rule ${at + 1}` : 'rule';
    if (fault !== undefined) throw new Failure('INVALID_FIELD', `${which} ${fault}`, { field });
  }
}

function faultOf(rule: ApprovalRule): string | undefined {
  const { action = 'APPROVAL_ACTION_UNSPECIFIED', choice, tools = [] } = rule;
  if (action === 'APPROVAL_ACTION_UNSPECIFIED') return 'has no action: give one';
  const unknown = tools.find((tool) => !known.has(tool));
  if (unknown !== undefined)
    return `has the tool ${quoted(unknown)}, which no question uses: give ${[...known].join(', ')}`;
  const given = parts.flatMap((part) => (rule[part] === undefined ? [] : [[part, rule[part]] as const]));
  for (const [part, pattern] of given) {
    const fault = faultIn(pattern);
    if (fault !== undefined) return `has a ${part} that ${fault}`;
  }
  if (action === 'APPROVAL_ACTION_ANSWER' && /^[*?]+(?: |$)/.test(rule.command?.glob?.trim() ?? ''))
    return 'has a command that begins with a wildcard: name the program';
  if (choice && action !== 'APPROVAL_ACTION_ANSWER') return 'has a choice, which only a rule that answers takes';
  if (given.length === 0 && action === 'APPROVAL_ACTION_ANSWER')
    return 'would agree to anything: give a command, path, host or text';
  return undefined;
}

function faultIn({ exact, glob, expression }: ApprovalPattern): string | undefined {
  const count = [exact, glob, expression].filter((one) => one !== undefined).length;
  if (count !== 1) return 'is not exactly one of exact, glob and expression';
  const fault = expression === undefined ? undefined : patternFault(expression);
  return fault === undefined ? undefined : `is an expression that ${fault}`;
}
