import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { notifyTabs } from '#page/api/tabs.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import {
  type Review,
  ReviewAuthorKind,
  type ReviewFile,
  type ReviewRound,
  ReviewState,
  type ReviewThread,
} from '#page/client/agent/v1/agent_pb.js';
import { showNotice } from '#page/parts/notices.tsx';

/** The size of a page of a diff, in bytes of the patch. */
const pageBytes = 512 * 1024;

const keyOf = (agentId: string) => ['review', agentId] as const;

/** The rounds of an agent, newest first. */
export function useRounds(agentId: string) {
  return useQuery({
    queryKey: [...keyOf(agentId), 'rounds'],
    queryFn: async ({ signal }): Promise<readonly ReviewRound[]> => {
      const { rounds } = await agents.listReviewRounds({ agentId, pagination: { pageSize: 200 } }, { signal });
      return rounds;
    },
  });
}

/** The files of a round's diff against its base, or against an earlier round, page by page. */
export function useDiff(agentId: string, roundId: string | undefined, sinceRoundId: string) {
  return useInfiniteQuery({
    queryKey: ['diff', agentId, roundId, sinceRoundId],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor, signal }) =>
      agents.getReviewDiff({ agentId, roundId: roundId ?? '', sinceRoundId, cursor, pageBytes }, { signal }),
    getNextPageParam: ({ cursor }) => cursor || undefined,
    enabled: roundId !== undefined,
    // The diff of a round never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The files of all pages, with the parts of split files joined. */
export function filesOf(pages: readonly { readonly files: readonly ReviewFile[] }[]): readonly ReviewFile[] {
  const byPath = new Map<string, ReviewFile>();
  for (const file of pages.flatMap(({ files }) => files)) {
    const known = byPath.get(file.path);
    byPath.set(file.path, known === undefined ? file : { ...known, patch: `${known.patch}\n${file.patch}` });
  }
  return [...byPath.values()];
}

/** The threads about an agent's work, and their batches. */
export function useThreads(agentId: string) {
  return useQuery({
    queryKey: [...keyOf(agentId), 'threads'],
    queryFn: async ({ signal }): Promise<{ threads: ReviewThread[]; reviews: Review[] }> => {
      const threads: ReviewThread[] = [];
      const reviews = new Map<string, Review>();
      for (let cursor = ''; ; ) {
        const answer = await agents.listReviewThreads({ agentId, pagination: { cursor, pageSize: 200 } }, { signal });
        threads.push(...answer.threads);
        for (const review of answer.reviews) reviews.set(review.id, review);
        cursor = answer.nextPageToken;
        if (cursor === '') return { threads, reviews: [...reviews.values()] };
      }
    },
  });
}

/** The person's own unreleased batch. */
export function openBatch(reviews: readonly Review[]): Review | undefined {
  return reviews.find(({ state, authorKind }) => state === ReviewState.OPEN && authorKind === ReviewAuthorKind.HUMAN);
}

/** Runs an action on the review. Its result is shown at once, an error as a notice. */
export function useReviewAct(agentId: string) {
  const queries = useQueryClient();
  return useOneAct({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => {
      // No fact is published about unreleased comments.
      notifyTabs(keyOf(agentId));
      return queries.invalidateQueries({ queryKey: keyOf(agentId) });
    },
    onError: (error) => showNotice({ tone: 'failed', text: actFailureText(error) }),
  });
}
export type ReviewAct = ReturnType<typeof useReviewAct>;
