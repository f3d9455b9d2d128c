import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';

/** What any coding CLI takes for a shell command or a command of its own, if a prompt begins with it. */
const anyPrefix: readonly string[] = ['!', '/', '$', '&'];
/** Blanks, and characters that nobody sees, of which some are taken out before a prompt is typed. */
const unseen = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]+/u;

/**
 * Refuses a prompt of an agent that its CLI would take for a command in place of an order to its model: `!ls` runs
 * without a question. Also in its wide form, and behind characters that nobody sees. A CLI whose prompt is a command
 * line runs commands anyway, and is not concerned.
 * @throws PERMISSION_DENIED
 */
export function refuseCommand(caller: Caller, harnesses: Harnesses, harness: string | undefined, prompt: string): void {
  if (caller.kind === 'person') return;
  const prefixes = (harness === undefined ? undefined : harnesses.find(harness)?.commandPrefixes) ?? anyPrefix;
  const start = prompt.normalize('NFKC').replace(unseen, '');
  const first = prefixes.find((prefix) => start.startsWith(prefix));
  if (first === undefined) return;
  throw new Failure(
    'BEYOND_OWN_RIGHTS',
    `prompt begins with ${quoted(first)}, which ${harness ?? 'a CLI'} takes as a command of its own: only a person may ` +
      'give it commands. Begin with a word',
    { field: 'prompt' },
  );
}
