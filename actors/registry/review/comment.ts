import { Failure } from '#contract/failure.ts';

/** Refuses a comment that says nothing, and a suggestion whose lines are none. @throws Failure `invalid_argument` */
export function checkComment(body: string, suggestion: readonly string[]): void {
  if (body.trim() === '')
    throw new Failure('invalid_argument', 'body holds only blanks: say what is wrong and what to do');
  const broken = suggestion.findIndex((line) => /[\r\n]/.test(line));
  if (broken === -1) return;
  throw new Failure(
    'invalid_argument',
    `suggestion[${broken}] holds a line break: give each line by itself, without its end`,
  );
}
