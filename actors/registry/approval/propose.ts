import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import { decide, type PlacedQuestion } from './decide.ts';

/** The narrowest rule that agrees to a question; undefined if none can. */
export function proposeRule(asked: PlacedQuestion): ApprovalRule | undefined {
  const { form, tool, command, path, host, text, yes } = asked.question;
  const rule: ApprovalRule = {
    action: 'APPROVAL_ACTION_ANSWER',
    ...(form !== 'permission' && { forms: [form] }),
    ...(tool !== '' && tool !== 'other' && { tools: [tool] }),
    ...(command !== undefined && { command: { exact: command } }),
    ...(path !== undefined && { path: { exact: pathIn(asked) } }),
    ...(host !== undefined && { host: { exact: host } }),
    ...(command === undefined && path === undefined && host === undefined && { text: { exact: text } }),
    ...(yes === undefined && { choice: asked.question.choices[0]?.label ?? '' }),
  };
  return decide([rule], asked).action === 'APPROVAL_ACTION_ANSWER' ? rule : undefined;
}

function pathIn({ question, place }: PlacedQuestion): string {
  if (place === undefined) return question.path ?? '';
  return place.absolute.startsWith(`${place.folder}/`) ? place.absolute.slice(place.folder.length + 1) : place.absolute;
}
