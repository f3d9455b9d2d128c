import { ForgeError } from './forge-error.ts';

/** How many items a forge that numbers its pages is asked for at once. It may be set up to hand over fewer. */
const size = 50;
/** How many of the forge's pages one of ours may be put together from. */
const maxPages = 10;

/** A page of a forge that numbers its pages. */
export interface NumberedPage<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

export interface NumberedQuery<Item> {
  /** The host, for errors. */
  readonly host: string;
  readonly cursor: string | undefined;
  readonly pageSize: number;
  /** Which items count: those that a forge cannot be asked for alone are picked here. */
  readonly keeps: (item: Item) => boolean;
  /** `page` counts from one. */
  readonly fetch: (page: number, size: number) => Promise<NumberedPage<Item>>;
}

/**
 * Puts a page of ours together from a forge's numbered ones. If few items count, it stops after ten of the forge's
 * pages, and the page may hold fewer than asked, with a cursor to continue from: a page of the forge, and how many of
 * it are done with.
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
