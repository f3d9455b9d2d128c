import { Failure } from '#contract/failure.ts';

/** How much a comment may suggest. */
const maxSuggestion = { lines: 1_000, characters: 100_000 } as const;

/** Refuses a comment that says nothing, and a suggestion whose lines are none. @throws INVALID_ARGUMENT */
export function checkComment(body: string, suggestion: readonly string[]): void {
  if (body.trim() === '')
    throw new Failure('INVALID_FIELD', 'body has only spaces: say what is wrong and what to do', { field: 'body' });
  const characters = suggestion.reduce((sum, line) => sum + line.length, 0);
  if (suggestion.length > maxSuggestion.lines || characters > maxSuggestion.characters) {
    const { lines, characters: max } = maxSuggestion;
    throw new Failure(
      'INVALID_FIELD',
      `suggestion has ${suggestion.length} lines with ${characters} characters, and at most ${lines} with ${max} are allowed: ` +
        'suggest less, or say it in the body',
      { field: 'suggestion' },
    );
  }
  const broken = suggestion.findIndex((line) => /[\r\n]/.test(line));
  if (broken === -1) return;
  throw new Failure(
    'INVALID_FIELD',
    `suggestion[${broken}] has a line break: give each line separately, without its end`,
    { field: `suggestion.${broken}` },
  );
}
