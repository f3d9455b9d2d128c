import { askHost, type TargetHost } from '#actors/registry/host/host-call.ts';
import { Failure } from '#contract/failure.ts';
import type { CreateReviewThreadRequest } from '#contract/operations/review.ts';
import { reviewCalls } from '#contract/wire/review-calls.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { ReviewScope } from './review-scope.ts';

/** The lines that a comment is about, on each side of the diff. A side without a range has neither number. */
export interface Ranges {
  readonly oldStart?: number;
  readonly oldEnd?: number;
  readonly newStart?: number;
  readonly newEnd?: number;
}

/** How many lines a comment may quote. */
const maxQuoted = 10_000;
/** How many of the file's actual lines an error message shows. */
const linesShown = 40;

/**
 * The ranges of a request. Zero means that a number is not set.
 * @throws INVALID_ARGUMENT when they are invalid or contradict other fields
 */
export function rangesOf(request: CreateReviewThreadRequest): Ranges {
  const old = rangeOf('old', request.oldStart, request.oldEnd);
  const fresh = rangeOf('new', request.newStart, request.newEnd);
  if ((request.suggestion ?? []).length > 0 && fresh === undefined) {
    throw new Failure(
      'INVALID_FIELD',
      'suggestion replaces lines of the new side: give newStart and newEnd, or leave the suggestion out',
      { field: 'suggestion' },
    );
  }
  if ((request.quotedLines ?? []).length > 0 && old === undefined && fresh === undefined) {
    throw new Failure('INVALID_FIELD', 'quotedLines are lines of a range: give the range, or leave them out', {
      field: 'quotedLines',
    });
  }
  if ((request.quotedLines ?? []).length > maxQuoted) {
    throw new Failure(
      'INVALID_FIELD',
      `quotedLines has ${request.quotedLines?.length} lines, of at most ${maxQuoted}: name a shorter range`,
      { field: 'quotedLines' },
    );
  }
  return {
    ...(old && { oldStart: old[0], oldEnd: old[1] }),
    ...(fresh && { newStart: fresh[0], newEnd: fresh[1] }),
  };
}

function rangeOf(side: 'old' | 'new', start = 0, end = 0): readonly [start: number, end: number] | undefined {
  if (start === 0 && end === 0) return undefined;
  const [from, to] = [`${side}Start`, `${side}End`];
  const refuse = (why: string) =>
    new Failure('INVALID_FIELD', `${from} is ${start} and ${to} is ${end}: ${why}`, { field: from });
  if (start === 0 || end === 0) throw refuse('give both, or neither');
  if (start < 1 || end < start) throw refuse('lines count from one, and a range does not end before it begins');
  return [start, end];
}

/** Where a comment is to be anchored. */
export interface CommentAnchor extends Ranges {
  readonly filePath: string;
  readonly baseSha: string;
  readonly snapshotSha: string;
  readonly quotedLines: readonly string[];
  readonly hasSuggestion: boolean;
}

/**
 * Checks on the agent's host that an anchor is in the diff, with the quoted lines.
 * @throws INVALID_ARGUMENT when it is not, with the actual lines; UNAVAILABLE when the host does not answer
 */
export async function checkAnchor(
  { lines }: Pick<ReviewScope, 'lines'>,
  { agent, host }: { readonly agent: StoredAgent; readonly host: TargetHost },
  anchor: CommentAnchor,
): Promise<void> {
  const call = reviewCalls.anchorThread;
  const request = { ...anchor, agentId: agent.id, quotedLines: [...anchor.quotedLines] };
  const { ok, message, stands } = await askHost(lines, host, call, request, call.withinMs);
  if (ok) return;
  const more = stands.length > linesShown ? [`(and ${stands.length - linesShown} more)`] : [];
  const shown = stands.length === 0 ? [] : ['The file has:', ...stands.slice(0, linesShown), ...more];
  throw new Failure('INVALID_FIELD', [message, ...shown].join('\n'));
}
