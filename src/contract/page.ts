import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Which page of a listing to return, and how many rows it has. */
export const Pagination = message('shared.v1.Pagination', {
  cursor: [1, z.string(), 'nextPageToken of the last answer. Unset: the first page.'],
  pageSize: [2, z.int32(), 'Rows per page: at most 200, 50 if unset. For a forge at most 100, 20 if unset.'],
});
export type Pagination = z.infer<typeof Pagination>;

/** How much of long texts a listing returns. */
export const View = enumeration('shared.v1.View', {
  VIEW_UNSPECIFIED: 'Not given: as VIEW_SUMMARY.',
  VIEW_SUMMARY: 'Long texts are cut to their first 200 characters, and the record says which.',
  VIEW_FULL: 'Every text is whole, which can make a very large answer.',
});
export type View = z.infer<typeof View>;

/** The field of a listing that says which page to return. */
export const paging = [Pagination, 'Which page to return. Unset: the first.'] as const;

/** The field of a listing's answer that points to its next page. */
export const nextPageToken = [
  z.string(),
  'Pass it back as pagination.cursor for the next page. Unset on the last page.',
] as const;

/** The field that says how much of long texts is returned. */
export const textView = [View, 'Whether long texts are cut to their opening or whole. Unset: cut.'] as const;

/** The field of a watch that says where to continue. */
export const watchCursor = [z.string(), 'cursor of the last answer. Unset: first everything as it is now.'] as const;

/** The same for a watch that follows a log. */
export const logCursor = [
  z.string(),
  'cursor of the last answer. Unset: from now on; `0`: from the oldest kept.',
] as const;

/** The field of a watch's answer from which the next call continues. */
export const nextCursor = [z.string(), 'Pass it back as cursor to continue from here. Valid across restarts.'] as const;

/** Rows per page: the default, and the limit. */
export const pageSize = { default: 50, max: 200 } as const;

/** The same for a listing that a forge answers. */
export const forgePageSize = { default: 20, max: 100 } as const;

/** Characters (code points) of a long text that a summary keeps. */
export const summaryLength = 200;

/** The first `summaryLength` characters of a text, never half of one, and whether more follow. */
export function openingOf(text: string): { readonly opening: string; readonly openingCut: boolean } {
  const opening = [...text.slice(0, 2 * summaryLength)].slice(0, summaryLength).join('');
  return { opening, openingCut: opening.length < text.length };
}
