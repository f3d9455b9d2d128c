import { z } from 'zod';
import { enumeration, message } from './message.ts';

/** Where a listing carries on from, and how many rows a page holds. */
export const Pagination = message('shared.v1.Pagination', {
  cursor: [1, z.string()],
  pageSize: [2, z.int32()],
});
export type Pagination = z.infer<typeof Pagination>;

/** How much of long texts a listing returns. */
export const View = enumeration('shared.v1.View', ['VIEW_UNSPECIFIED', 'VIEW_SUMMARY', 'VIEW_FULL']);
export type View = z.infer<typeof View>;

/** Rows a page holds where the request names none, and at most. */
export const pageSize = { usual: 50, most: 200 } as const;

/** The same for what a forge hands over in one call. */
export const forgePageSize = { usual: 20, most: 100 } as const;

/** Characters (code points) of a long text that a summary keeps. */
export const summaryLength = 200;
