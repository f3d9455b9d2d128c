import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { facts } from '#page/api/clients.ts';
import { follow } from '#page/api/follow.ts';
import { throttled } from '#page/api/throttled.ts';
import type { Fact, WatchFactsResponse } from '#page/client/fact/v1/fact_pb.js';
import { type Listing, useListing } from '#page/list/use-listing.ts';

const pageSize = 100;
/** New facts are read at most once in this many milliseconds. */
const readEveryMs = 500;

/** Identifies a fact in the list. */
export const factId = ({ seq }: Fact): string => String(seq);

/**
 * The facts about a subject, or all facts if `about` is empty: newest first, and followed while the screen shows them.
 */
export function useFacts(about: string): Listing<Fact> {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const readAgain = throttled(() => void queries.invalidateQueries({ queryKey: ['facts', about] }), readEveryMs);
    void follow<WatchFactsResponse>({
      open: (cursor, signal) => facts.watchFacts({ subjectId: about, cursor }, { signal }),
      onAnswer: ({ facts: news }, isFirst) => {
        // Data that was read before the watch began may be older than its cursor.
        if (news.length > 0 || isFirst) readAgain();
      },
      signal: leaving.signal,
    });
    return () => leaving.abort();
  }, [queries, about]);
  return useListing({
    queryKey: ['facts', about],
    read: async (cursor, signal) => {
      const answer = await facts.listFacts({ subjectId: about, cursor, pageSize }, { ...(signal && { signal }) });
      return { rows: answer.facts, next: answer.nextPageToken };
    },
    idOf: factId,
  });
}
