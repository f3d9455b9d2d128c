import { Failure } from '#contract/failure.ts';
import { pageSize } from '#contract/page.ts';

/**
 * How many rows a page holds: what the request asks for, within what is allowed.
 * @throws Failure `invalid_argument` where it asks for less than none.
 */
export function pageLimit(asked: number | undefined, size: { usual: number; most: number } = pageSize): number {
  if (asked !== undefined && asked < 0) {
    throw new Failure('invalid_argument', `pageSize is ${asked}: give a number from 1 to ${size.most}, or none`);
  }
  return Math.min(asked || size.usual, size.most);
}
