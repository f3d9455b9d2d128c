import type { ModelRequest } from './model-request.ts';

const verbs = [
  'reply',
  'write',
  'think',
  'wait',
  'stall',
  'tool',
  'call',
  'edit',
  'ask',
  'long',
  'quote',
  'fail',
  'limit',
  'cut',
] as const;
type Verb = (typeof verbs)[number];

/**
 * What the model shall do, as a person's text says it in the form `#verb argument#`; the newest counts.
 *
 * - `reply`: answer in a line
 * - `write`, `think`: write text, or think, until the test releases the answer
 * - `wait`: say nothing at all until the test releases the answer
 * - `stall what`: say a `text`, a `long` text or a `thought`, and then nothing until the test releases the answer
 * - `tool command`: ask to run a shell command, and answer in a line once its result is there; say nothing before
 *   either until the test releases it
 * - `call tool arguments`: call one of muster's tools with arguments in JSON, and answer in a line once its result is
 *   there
 * - `edit path`: ask to write a file; `ask`: ask a person which of three things to take; both answer in a line once the
 *   result is there
 * - `long`: answer more than a screen holds; `quote`: quote what a CLI shows at work, and a question
 * - `fail status`: refuse with an HTTP status, each time; `cut`: break the answer off in the middle
 * - `limit seconds`: refuse for a usage limit until a full minute that many seconds from the first refusal or later, and
 *   answer in a line from then on
 */
export interface Directive {
  readonly verb: Verb;
  readonly argument: string;
  /** The whole text that it is in. */
  readonly from: string;
  /** How many results of tools came after it. */
  readonly results: number;
}

const pattern = new RegExp(`#(${verbs.join('|')})\\b([^#]*)#`, 'g');

/** What Qwen adds to a conversation to learn what a person might type next. */
const suggestion = /^\[SUGGESTION MODE\b/;

/** Whether a CLI asks for something of its own, with the tools and the conversation of its turns. */
export const isOwnRequest = ({ heard }: ModelRequest): boolean =>
  suggestion.test(heard.findLast(({ kind }) => kind === 'text')?.text ?? '');

/** The newest directive of a conversation; a plain `reply` if there is none. */
export function directiveOf({ heard }: ModelRequest): Directive {
  for (let at = heard.length - 1; at >= 0; at -= 1) {
    const one = heard[at];
    if (one?.kind !== 'text') continue;
    const found = [...one.text.matchAll(pattern)].at(-1);
    if (found === undefined) continue;
    const results = heard.slice(at).filter(({ kind }) => kind === 'result').length;
    return { verb: found[1] as Verb, argument: (found[2] ?? '').trim(), from: one.text, results };
  }
  return { verb: 'reply', argument: '', from: '', results: 0 };
}
