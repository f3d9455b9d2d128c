import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';

/** Prefixes that some coding CLI interprets as a shell command or a command of its own. */
const anyPrefix: readonly string[] = ['!', '/', '$', '&'];
/** White space and invisible characters. Some of them are removed before a prompt is typed. */
const unseen = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]+/u;

/**
 * Refuses an agent's prompt that the recipient's CLI would interpret as a command: `!ls` runs without a question. Also
 * recognizes full-width forms, and prefixes after invisible characters. A shell has no such prefixes, because it runs
 * every prompt as a command anyway.
 * @throws PERMISSION_DENIED when an agent's prompt begins with a command prefix
 */
export function refuseCommand(caller: Caller, harnesses: Harnesses, harness: string | undefined, prompt: string): void {
  if (caller.kind === 'person') return;
  const prefixes = (harness === undefined ? undefined : harnesses.find(harness)?.commandPrefixes) ?? anyPrefix;
  const start = prompt.normalize('NFKC').replace(unseen, '');
  const first = prefixes.find((prefix) => start.startsWith(prefix));
  if (first === undefined) return;
  throw new Failure(
    'BEYOND_OWN_RIGHTS',
    `prompt begins with ${quoted(first)}, which ${harness ?? 'a CLI'} interprets as a command: only a person may ` +
      'give it commands. Begin with a word',
    { field: 'prompt' },
  );
}
