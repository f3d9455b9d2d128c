import { failureReasons } from '#contract/reason/failure-reasons.ts';

/** The module of the TypeScript client that lists the reasons of refusals. */
export function typescriptReasons(): string {
  const names = Object.keys(failureReasons).map((name) => `  | '${name}'`);
  return [
    '// Written by `npm run proto` from the reasons in src/contract. Do not edit.',
    '',
    '/** Why muster refuses a call: the closed list of docs/reference/reasons.md. */',
    `export type Reason =\n${names.join('\n')};`,
    '',
  ].join('\n');
}
