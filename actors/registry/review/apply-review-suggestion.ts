import { findAgent, refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { applyReviewSuggestion } from '#contract/operations/review.ts';
import { quoted } from '#contract/quoted.ts';
import { reviewCalls } from '#contract/wire/review-calls.ts';
import type { StoredMessage, StoredThread } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';
import { haveAgentHost } from './host-of.ts';
import { partyOf, seenThread } from './parties.ts';
import type { ReviewScope } from './review-scope.ts';

/** Applies a suggestion to its file on the agent's host, which refuses if the lines to replace have changed. */
export const applyReviewSuggestionHandler = handler(
  applyReviewSuggestion,
  async ({ threadId, messageId }, caller, scope: ReviewScope) => {
    const { agent, thread, message, snapshotSha } = await scope.store.read(async (tables) => {
      const found = await seenThread(tables, caller, threadId);
      const owner = await findAgent(tables.agents, found.agent);
      refuseHeld(owner, applyReviewSuggestion.method);
      const suggested = await suggestionIn(tables, found, caller, messageId);
      const round = await tables.rounds.find(found.round);
      return { agent: owner, thread: found, message: suggested, snapshotSha: round?.snapshotSha ?? '' };
    });
    const { filePath, newStart, newEnd } = thread;
    if (newStart == null || newEnd == null) {
      throw new Failure(
        'SUGGESTION_NOT_APPLICABLE',
        `Thread ${thread.id} has no lines that its suggestion could replace`,
      );
    }
    const place = { filePath, newStart, newEnd, snapshotSha };
    const request = { ...place, agentId: agent.id, suggestion: [...message.suggestion] };
    const applied = await haveAgentHost(scope, agent, reviewCalls.applySuggestion, request, {
      check: (newest) => refuseHeld(newest, applyReviewSuggestion.method),
    });
    const detail = { threadId: thread.id, messageId: message.id, by: partyOf(caller) };
    await scope.store.write(({ facts }) => facts.append([{ kind: 'review.applied', subjectId: agent.id, detail }]));
    return applied;
  },
);

/**
 * The message with a suggestion to apply: the named one, or else the newest of the thread.
 * @throws NOT_FOUND when the named message does not exist; FAILED_PRECONDITION when nothing is suggested
 */
async function suggestionIn(
  { reviews }: Tables,
  thread: StoredThread,
  caller: Caller,
  messageId: string | undefined,
): Promise<StoredMessage> {
  const said = await reviews.messages([thread.id], partyOf(caller));
  const message = messageId
    ? said.find(({ id }) => id === messageId)
    : said.findLast(({ suggestion }) => suggestion.length > 0);
  if (messageId && message === undefined) {
    throw new Failure('REVIEW_MESSAGE_NOT_FOUND', `Thread ${thread.id} has no message ${quoted(messageId)}`, {
      field: 'messageId',
      metadata: { messageId },
    });
  }
  if (message !== undefined && message.suggestion.length > 0) return message;
  throw new Failure('SUGGESTION_NOT_APPLICABLE', `Thread ${thread.id} has no suggestion: change the file yourself`);
}
