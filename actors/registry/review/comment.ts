import { Failure } from '#contract/failure.ts';

/** How much a comment may suggest. */
const suggestedMost = { lines: 1_000, characters: 100_000 } as const;

/** Refuses a comment that says nothing, and a suggestion whose lines are none. @throws Failure `invalid_argument` */
export function checkComment(body: string, suggestion: readonly string[]): void {
  if (body.trim() === '')
    throw new Failure('invalid_argument', 'body holds only blanks: say what is wrong and what to do');
  const characters = suggestion.reduce((sum, line) => sum + line.length, 0);
  if (suggestion.length > suggestedMost.lines || characters > suggestedMost.characters) {
    const { lines, characters: most } = suggestedMost;
    throw new Failure(
      'invalid_argument',
      `suggestion has ${suggestion.length} lines with ${characters} characters, and at most ${lines} with ${most} are taken: ` +
        'suggest less, or say it in the body',
    );
  }
  const broken = suggestion.findIndex((line) => /[\r\n]/.test(line));
  if (broken === -1) return;
  throw new Failure(
    'invalid_argument',
    `suggestion[${broken}] holds a line break: give each line by itself, without its end`,
  );
}
