import { Failure } from '#contract/failure.ts';
import { pageSize } from '#contract/page.ts';

/**
 * How many rows a page holds: what the request asks for, within what is allowed.
 * @throws INVALID_ARGUMENT when it asks for less than none.
 */
export function pageLimit(asked: number | undefined, size: { default: number; max: number } = pageSize): number {
  if (asked !== undefined && asked < 0) {
    throw new Failure('INVALID_FIELD', `pageSize is ${asked}: give a number from 1 to ${size.max}, or none`, {
      field: 'pagination.pageSize',
    });
  }
  return Math.min(asked || size.default, size.max);
}
