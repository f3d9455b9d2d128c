import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { type IdOf, type Page, type Pages, rowsOf, stalePages, withFresh } from './listing.ts';

interface ListingOptions<Row> {
  readonly queryKey: readonly string[];
  /** Reads the page at a cursor; an empty cursor means the first page. */
  readonly read: (cursor: string, signal: AbortSignal | undefined) => Promise<Page<Row>>;
  /** Identifies a row. Must stay the same function. */
  readonly idOf: IdOf<Row>;
}

/** How a listing reads its next pages. */
export interface Paging {
  readonly hasMore: boolean;
  readonly isReading: boolean;
  /** Why the next page could not be read; null if it could. */
  readonly problem: unknown;
  readonly readMore: () => Promise<void>;
  /** The list writes the index of its first visible row here, so that this row and those after it are kept fresh. */
  readonly seen: RefObject<number>;
}

export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly error: unknown;
  readonly isPending: boolean;
  readonly paging: Paging;
}

/**
 * A listing that is read page by page. When it is stale, only the first page and the visible pages are read again, so
 * that a list of ten thousand rows costs no more than a short one.
 */
export function useListing<Row>({ queryKey, read, idOf }: ListingOptions<Row>): Listing<Row> {
  const queries = useQueryClient();
  const seen = useRef(0);
  const { data, error, isPending, isPlaceholderData } = useQuery<Pages<Row>>({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<Pages<Row>>(queryKey) ?? [];
      const stale = [...stalePages(known, seen.current)];
      const fresh = await Promise.all(stale.map((at) => read(known[at - 1]?.next ?? '', signal)));
      // Keep pages that were added meanwhile.
      const latest = queries.getQueryData<Pages<Row>>(queryKey) ?? [];
      return withFresh(latest, new Map(stale.map((at, place) => [at, fresh[place] ?? none])), idOf);
    },
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: 0,
  });
  const next = isPlaceholderData ? '' : (data?.at(-1)?.next ?? '');
  const { isReading, problem, readMore } = useReadMore({ queryKey, read, next });
  const rows = useMemo(() => rowsOf(data ?? [], idOf), [data, idOf]);
  return { rows, error, isPending, paging: { hasMore: next !== '', isReading, problem, readMore, seen } };
}

const none = { rows: [], next: '' } as const;

/** Reads the page after the known ones. */
function useReadMore<Row>({
  queryKey,
  read,
  next,
}: Pick<ListingOptions<Row>, 'queryKey' | 'read'> & { readonly next: string }) {
  const queries = useQueryClient();
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const latest = useRef({ queryKey, read, next, isReading: false });
  Object.assign(latest.current, { queryKey, read, next });
  const readMore = useCallback(async (): Promise<void> => {
    const { queryKey: key, read: readPage, next: cursor, isReading: isBusy } = latest.current;
    if (isBusy || cursor === '') return;
    latest.current.isReading = true;
    setIsReading(true);
    setProblem(null);
    try {
      const page = await readPage(cursor, undefined);
      queries.setQueryData<Pages<Row>>(key, (pages) => (pages?.at(-1)?.next === cursor ? [...pages, page] : pages));
    } catch (error) {
      setProblem(error);
    } finally {
      latest.current.isReading = false;
      setIsReading(false);
    }
  }, [queries]);
  return { isReading, problem, readMore };
}
