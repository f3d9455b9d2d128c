/** One page of a listing as it was read. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** From where the next one is read; empty if there is none. */
  readonly next: string;
}

/** Pages one after the other, from the first on. */
export type Pages<Row> = readonly Page<Row>[];

/** What identifies a row. */
export type IdOf<Row> = (row: Row) => string;

/** The rows of all pages, each once: one that has moved to an earlier page is there. */
export function rowsOf<Row>(pages: Pages<Row>, idOf: IdOf<Row>): readonly Row[] {
  const known = new Set<string>();
  return pages
    .flatMap(({ rows }) => rows)
    .filter((row) => {
      const id = idOf(row);
      if (known.has(id)) return false;
      known.add(id);
      return true;
    });
}

/**
 * Which pages are read again: the first, if news come, and those in which the rows from `seen` on stand that can be
 * seen.
 */
export function stalePages<Row>(pages: Pages<Row>, seen: number, inView = 60): ReadonlySet<number> {
  const stale = new Set([0]);
  let begin = 0;
  for (const [at, { rows }] of pages.entries()) {
    if (begin < seen + inView && begin + rows.length > seen) stale.add(at);
    begin += rows.length;
  }
  return stale;
}

/** Pages of which some were read again. If the first has nothing of what was known, the listing starts over with it. */
export function withFresh<Row>(pages: Pages<Row>, fresh: ReadonlyMap<number, Page<Row>>, idOf: IdOf<Row>): Pages<Row> {
  const later = pages.map((page, at) => {
    const news = at === 0 ? undefined : fresh.get(at);
    return news === undefined ? page : joined(page, news, idOf, at === pages.length - 1);
  });
  const first = fresh.get(0);
  if (first === undefined) return later;
  // What was gone by now may have been in the way: where the first page ends, the known ones continue.
  const meeting = first.next === '' ? -1 : later.findIndex((page) => placeOfEnd(page, first, idOf) >= 0);
  const met = later[meeting];
  if (met === undefined) return [first];
  return [joined(met, first, idOf, meeting === later.length - 1), ...later.slice(meeting + 1)];
}

/** A page with its news: what new rows have pushed out of it stays, for the page after it begins where it began. */
function joined<Row>(page: Page<Row>, news: Page<Row>, idOf: IdOf<Row>, isLast: boolean): Page<Row> {
  const end = placeOfEnd(page, news, idOf);
  const rest = end < 0 ? [] : page.rows.slice(end + 1);
  return { rows: [...news.rows, ...rest], next: isLast && rest.length === 0 ? news.next : page.next };
}

function placeOfEnd<Row>(page: Page<Row>, news: Page<Row>, idOf: IdOf<Row>): number {
  const last = news.rows.at(-1);
  return last === undefined ? -1 : page.rows.findLastIndex((row) => idOf(row) === idOf(last));
}
