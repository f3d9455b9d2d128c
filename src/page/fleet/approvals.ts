import { create, fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import { useQuery } from '@tanstack/react-query';
import { transport } from '#page/api/clients.ts';
import {
  ApprovalAction,
  type ApprovalPattern,
  type ApprovalRule,
  ApprovalRuleSchema,
  ApprovalService,
} from '#page/client/approval/v1/approval_pb.js';

export const approvals: Client<typeof ApprovalService> = createClient(ApprovalService, transport);

/** The rules of a workflow, or none without one, and whether rules are in force. */
export function useApprovals(workflowId = '') {
  return useQuery({
    queryKey: ['approvals', workflowId],
    queryFn: ({ signal }) => approvals.getApprovals({ workflowId }, { signal }),
    staleTime: 60_000,
  });
}

/** Rules as a person edits them. */
export function rulesText(rules: readonly ApprovalRule[]): string {
  return JSON.stringify(
    rules.map((rule) => toJson(ApprovalRuleSchema, rule)),
    undefined,
    2,
  );
}

/** Rules that a person has written as a JSON list, or what is wrong with them. */
export function rulesIn(text: string): { readonly rules: readonly ApprovalRule[] } | { readonly wrong: string } {
  try {
    const list = text.trim() === '' ? [] : (JSON.parse(text) as JsonValue);
    if (!Array.isArray(list)) return { wrong: 'It is not a list: put the rules between [ and ]' };
    return { rules: list.map((one) => fromJson(ApprovalRuleSchema, one)) };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

const words: Readonly<Record<ApprovalAction, string>> = {
  [ApprovalAction.UNSPECIFIED]: '',
  [ApprovalAction.ANSWER]: 'allow',
  [ApprovalAction.ASK]: 'ask me',
  [ApprovalAction.REFUSE]: 'refuse',
};

/** What is done by a rule or a verdict, in a word or two. */
export function actionWord(action: ApprovalAction): string {
  return words[action];
}

/** The conditions of a rule in one line, such as `shell, command npm test *`. */
export function conditionsText(rule: ApprovalRule): string {
  const { forms, tools, command, path, host, text, choice } = create(ApprovalRuleSchema, rule);
  const parts = Object.entries({ command, path, host, text }).flatMap(([part, pattern]) =>
    pattern === undefined ? [] : [`${part} ${patternText(pattern)}`],
  );
  return [...forms, ...tools, ...parts, ...(choice === '' ? [] : [`choose “${choice}”`])].join(', ');
}

function patternText({ exact, glob, expression }: ApprovalPattern): string {
  if (expression !== '') return `/${expression}/`;
  return glob === '' ? `exactly “${exact}”` : glob;
}
