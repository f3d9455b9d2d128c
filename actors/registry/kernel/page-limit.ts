import { Failure } from '#contract/failure.ts';
import { pageSize } from '#contract/page.ts';

/**
 * How many rows a page has: as many as requested, at most `size.max`.
 * @throws INVALID_ARGUMENT when the requested size is negative
 */
export function pageLimit(asked: number | undefined, size: { default: number; max: number } = pageSize): number {
  if (asked !== undefined && asked < 0) {
    throw new Failure('INVALID_FIELD', `pageSize is ${asked}: give a number from 1 to ${size.max}, or none`, {
      field: 'pagination.pageSize',
    });
  }
  return Math.min(asked || size.default, size.max);
}
