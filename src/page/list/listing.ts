/** A page of a listing. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; empty if there is none. */
  readonly next: string;
}

/** Consecutive pages, from the first on. */
export type Pages<Row> = readonly Page<Row>[];

/** Returns what identifies a row. */
export type IdOf<Row> = (row: Row) => string;

/** The rows of all pages, each once: a row that is on several pages counts on the earliest. */
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
 * The indexes of the pages to read again: the first, which may have new rows, and those with the visible rows from
 * `seen` on.
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

/**
 * Pages with some of them read again. If the new first page has none of the known rows, the listing starts over with
 * it.
 */
export function withFresh<Row>(pages: Pages<Row>, fresh: ReadonlyMap<number, Page<Row>>, idOf: IdOf<Row>): Pages<Row> {
  const later = pages.map((page, at) => {
    const news = at === 0 ? undefined : fresh.get(at);
    return news === undefined ? page : joined(page, news, idOf, at === pages.length - 1);
  });
  const first = fresh.get(0);
  if (first === undefined) return later;
  // Rows that are gone may have separated the pages: continue the known rows where the new first page ends.
  const meeting = first.next === '' ? -1 : later.findIndex((page) => placeOfEnd(page, first, idOf) >= 0);
  const met = later[meeting];
  if (met === undefined) return [first];
  return [joined(met, first, idOf, meeting === later.length - 1), ...later.slice(meeting + 1)];
}

/**
 * A page with its new rows. Rows that they pushed out of the page are kept, because the next page begins where it
 * began.
 */
function joined<Row>(page: Page<Row>, news: Page<Row>, idOf: IdOf<Row>, isLast: boolean): Page<Row> {
  const end = placeOfEnd(page, news, idOf);
  const rest = end < 0 ? [] : page.rows.slice(end + 1);
  return { rows: [...news.rows, ...rest], next: isLast && rest.length === 0 ? news.next : page.next };
}

function placeOfEnd<Row>(page: Page<Row>, news: Page<Row>, idOf: IdOf<Row>): number {
  const last = news.rows.at(-1);
  return last === undefined ? -1 : page.rows.findLastIndex((row) => idOf(row) === idOf(last));
}
