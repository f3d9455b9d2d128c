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

/** How much of a diff is asked for in one call, in bytes of patch. */
const pageBytes = 512 * 1024;

const keyOf = (agentId: string) => ['review', agentId] as const;

/** The rounds of an agent, the newest first. */
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
    // What a round shows never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The files of all pages; the pieces of a file that was cut are joined. */
export function filesOf(pages: readonly { readonly files: readonly ReviewFile[] }[]): readonly ReviewFile[] {
  const byPath = new Map<string, ReviewFile>();
  for (const file of pages.flatMap(({ files }) => files)) {
    const known = byPath.get(file.path);
    byPath.set(file.path, known === undefined ? file : { ...known, patch: `${known.patch}\n${file.patch}` });
  }
  return [...byPath.values()];
}

/** The threads of an agent's work, and the batches that they came with. */
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

/** The person's own batch that is not released. */
export function openBatch(reviews: readonly Review[]): Review | undefined {
  return reviews.find(({ state, authorKind }) => state === ReviewState.OPEN && authorKind === ReviewAuthorKind.HUMAN);
}

/** Does something to the review; the result is shown at once, and an error as a notice. */
export function useReviewAct(agentId: string) {
  const queries = useQueryClient();
  return useOneAct({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => {
      // What is not released makes no fact.
      notifyTabs(keyOf(agentId));
      return queries.invalidateQueries({ queryKey: keyOf(agentId) });
    },
    onError: (error) => showNotice({ tone: 'failed', text: actFailureText(error) }),
  });
}
export type ReviewAct = ReturnType<typeof useReviewAct>;
