import type { ModelRequest } from './model-request.ts';

/**
 * What the model shall do, as a person's text says it in the form `#verb argument#`; the newest counts.
 *
 * - `reply`: answer in a line
 * - `write`, `think`: write text, or think, until the test releases the answer
 * - `wait`: say nothing at all until the test releases the answer
 * - `tool command`: ask to run a shell command, and answer in a line once its result is there; say nothing before either
 *   until the test releases it
 */
export interface Directive {
  readonly verb: 'reply' | 'write' | 'think' | 'wait' | 'tool';
  readonly argument: string;
  /** The whole text that it stands in. */
  readonly from: string;
  /** How many results of tools belong to it. */
  readonly results: number;
}

const pattern = /#(reply|write|think|wait|tool)\b([^#]*)#/g;

/**
 * The newest directive of a conversation; a plain `reply` where there is none. A CLI may put a text behind the results
 * that came after it, so results are counted over the whole conversation, less those of earlier directives.
 */
export function directiveOf({ heard }: ModelRequest): Directive {
  const directives = heard.flatMap((one) => {
    const found = one.kind === 'text' ? [...one.text.matchAll(pattern)].at(-1) : undefined;
    return found && one.kind === 'text' ? [{ verb: found[1], argument: found[2] ?? '', from: one.text }] : [];
  });
  const newest = directives.at(-1);
  if (newest === undefined) return { verb: 'reply', argument: '', from: '', results: 0 };
  const earlier = directives.slice(0, -1).filter(({ verb }) => verb === 'tool').length;
  const results = heard.filter(({ kind }) => kind === 'result').length - earlier;
  return { ...newest, verb: newest.verb as Directive['verb'], argument: newest.argument.trim(), results };
}
