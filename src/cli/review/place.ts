import { Failure } from '#contract/failure.ts';

/** The fields of a request for the place of a comment. */
interface Place {
  readonly filePath: string;
  readonly newStart?: number;
  readonly newEnd?: number;
}

const withLines = /^(.+):(\d+(?:-\d+)?)$/;

/** Whether a word is FILE:LINE or FILE:FIRST-LAST. */
export function namesLines(said: string): boolean {
  return withLines.test(said);
}

/** Reads FILE, FILE:LINE or FILE:FIRST-LAST. */
export function placeIn(said: string): Place {
  const [, filePath, lines] = withLines.exec(said) ?? [];
  if (filePath === undefined || lines === undefined) return { filePath: said };
  const [newStart, newEnd] = rangeIn('the place', lines);
  return { filePath, newStart, newEnd };
}

/**
 * Parses LINE or FIRST-LAST.
 * @throws INVALID_ARGUMENT when it is neither
 */
export function rangeIn(flag: string, said: string): readonly [first: number, last: number] {
  const [, first, last = first] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(said) ?? [];
  if (first !== undefined && Number(first) <= Number(last)) return [Number(first), Number(last)];
  throw new Failure(
    'INVALID_USAGE',
    `${flag} is ${JSON.stringify(said)}: write a line as 12, or lines as 12-14, counting from one`,
  );
}
