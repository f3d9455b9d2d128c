import { ForgeError } from './forge-error.ts';

/** How many items are requested per page of a forge with numbered pages. It may return fewer. */
const size = 50;
/** The maximum number of the forge's pages for one page of ours. */
const maxPages = 10;

/** A page of a forge with numbered pages. */
export interface NumberedPage<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

export interface NumberedQuery<Item> {
  /** The host, for errors. */
  readonly host: string;
  readonly cursor: string | undefined;
  readonly pageSize: number;
  /** The filter for what the forge cannot filter itself. */
  readonly keeps: (item: Item) => boolean;
  /** `page` counts from one. */
  readonly fetch: (page: number, size: number) => Promise<NumberedPage<Item>>;
}

/**
 * Builds a page from a forge's numbered pages. If few items pass the filter, it stops after ten of the forge's pages;
 * the page then has fewer items than requested. The cursor is the number of the forge's page and the position in it.
 * @throws ForgeError `bad_cursor`
 */
export async function numberedPages<Item>(query: NumberedQuery<Item>): Promise<{ items: Item[]; nextCursor?: string }> {
  let { page, done } = placeOf(query);
  const items: Item[] = [];
  for (let count = 0; count < maxPages && items.length < query.pageSize; count += 1) {
    const fetched = await query.fetch(page, size);
    for (const item of fetched.items.slice(done)) {
      if (items.length === query.pageSize) return { items, nextCursor: `${page}.${done}` };
      done += 1;
      if (query.keeps(item)) items.push(item);
    }
    if (!fetched.hasMore || fetched.items.length === 0) return { items };
    page += 1;
    done = 0;
  }
  return { items, nextCursor: `${page}.${done}` };
}

function placeOf({ cursor, host }: { cursor: string | undefined; host: string }): { page: number; done: number } {
  if (cursor === undefined) return { page: 1, done: 0 };
  const [, page, done] = /^([1-9]\d{0,6})\.(\d{1,2})$/.exec(cursor) ?? [];
  if (page === undefined || done === undefined) {
    throw new ForgeError('bad_cursor', `The page’s cursor does not belong to ${host}: start from the first page`);
  }
  return { page: Number(page), done: Number(done) };
}
