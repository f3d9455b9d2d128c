import { Failure } from '#contract/failure.ts';

/** The maximum size of a suggestion. */
const maxSuggestion = { lines: 1_000, characters: 100_000 } as const;

/** @throws INVALID_ARGUMENT when a comment is blank, or its suggestion is too long or has line breaks within lines */
export function checkComment(body: string, suggestion: readonly string[]): void {
  if (body.trim() === '')
    throw new Failure('INVALID_FIELD', 'body is blank: say what is wrong and what to do', { field: 'body' });
  const characters = suggestion.reduce((sum, line) => sum + line.length, 0);
  if (suggestion.length > maxSuggestion.lines || characters > maxSuggestion.characters) {
    const { lines, characters: max } = maxSuggestion;
    throw new Failure(
      'INVALID_FIELD',
      `suggestion has ${suggestion.length} lines with ${characters} characters, of at most ${lines} with ${max}: ` +
        'suggest less, or describe it in the body',
      { field: 'suggestion' },
    );
  }
  const broken = suggestion.findIndex((line) => /[\r\n]/.test(line));
  if (broken === -1) return;
  throw new Failure(
    'INVALID_FIELD',
    `suggestion[${broken}] has a line break: give each line separately, without line breaks`,
    { field: `suggestion.${broken}` },
  );
}
