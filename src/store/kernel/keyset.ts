import { Fragment } from './condition.ts';

/** The row after which a listing, from the newest row to the oldest, continues. */
export interface Position {
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly id: string;
}

/** The condition for rows that come after a position, written as a row value so that an index answers it. */
export function past(position: Position | undefined): { readonly $sql?: Fragment } {
  if (position === undefined) return {};
  return { $sql: new Fragment('("updated_at", "id") < (?, ?)', position.updatedAt, position.id) };
}

/** The order of positions. */
export const newestFirst = { updatedAt: 'desc', id: 'desc' } as const;
