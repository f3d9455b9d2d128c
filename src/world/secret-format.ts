import { rules } from '@secretlint/secretlint-rule-preset-recommend';

/** A part of a text, from its first character to the one after its last. */
export type TextRange = readonly [start: number, end: number];

/** The used part of a secretlint rule. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      createTranslator(): () => string;
      report(found: { readonly range: TextRange }): void;
      ignore(): void;
    },
    options: object,
  ): { file?(source: { content: string; filePath: string; ext: string; contentType: 'text' }): unknown };
}

/** Tokens of agents and of invitations, as muster makes them. */
const own = /\b(?:mst_|JOIN-)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
/** Every known format has one of these: other texts are not searched. */
const candidate = /[A-Za-z0-9_-]{16}|:\/\/|-----BEGIN/;

let found: TextRange[] = [];
const checks = (rules as unknown as readonly Rule[])
  // Comments in a text must not switch the search off.
  .filter(({ meta }) => !meta.id.endsWith('filter-comments'))
  .map((rule) =>
    rule.create({ createTranslator: () => () => '', report: ({ range }) => void found.push(range), ignore() {} }, {}),
  );

/**
 * Where a text has something in the format of a secret: muster's own tokens, and those that secretlint's rules know.
 */
export function secretRanges(text: string): readonly TextRange[] {
  if (!candidate.test(text)) return [];
  found = [...text.matchAll(own)].map(({ 0: token, index }) => [index, index + token.length] as const);
  const source = { content: text, filePath: 'pane.txt', ext: '.txt', contentType: 'text' } as const;
  for (const check of checks) check.file?.(source);
  return found;
}
