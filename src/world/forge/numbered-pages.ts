import { ForgeError } from './forge-error.ts';

/** How many the forges with numbered pages hand over at once, unless they are set up for fewer. */
const usualSize = 50;
/** How many of the forge's pages one of ours may be put together from. */
const mostPages = 10;

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
 * Puts a page of ours together from a forge's numbered ones. Where few items count, it stops after ten of the forge's pages,
 * and the page may hold fewer than asked, with a cursor to go on from.
 * @throws ForgeError `bad_cursor`
 */
export async function numberedPages<Item>(query: NumberedQuery<Item>): Promise<{ items: Item[]; nextCursor?: string }> {
  let { offset, size } = placeOf(query);
  const items: Item[] = [];
  for (let count = 0; count < mostPages; count += 1) {
    const page = Math.floor(offset / size) + 1;
    const fetched = await query.fetch(page, size);
    // A forge that is set up for smaller pages hands over as many as it likes: from there on its pages are counted so.
    if (page === 1 && fetched.hasMore && fetched.items.length > 0 && fetched.items.length < size)
      size = fetched.items.length;
    const fresh = fetched.items.slice(offset - (page - 1) * size);
    for (const item of fresh) {
      if (items.length === query.pageSize) return { items, nextCursor: `${offset}.${size}` };
      offset += 1;
      if (query.keeps(item)) items.push(item);
    }
    if (!fetched.hasMore || fetched.items.length === 0) return { items };
    // The next page of the forge begins here, also where this one came short.
    offset = page * size;
    if (items.length === query.pageSize) break;
  }
  return { items, nextCursor: `${offset}.${size}` };
}

function placeOf({ cursor, host }: { cursor: string | undefined; host: string }): { offset: number; size: number } {
  if (cursor === undefined) return { offset: 0, size: usualSize };
  const [, offset, size] = /^(\d{1,9})\.([1-9]\d?)$/.exec(cursor) ?? [];
  if (offset === undefined || size === undefined) {
    throw new ForgeError('bad_cursor', `The page’s cursor is none of ${host}: start from the first page`);
  }
  return { offset: Number(offset), size: Number(size) };
}
