import type { Caller } from '#contract/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';

/**
 * What coding CLIs take for a shell command or a command of their own, where a prompt begins with it; also in its wide form, and
 * behind characters that nobody sees, of which some are taken out before a prompt is typed.
 */
const command = /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]*([!/$&])/u;

/**
 * Refuses a prompt of an agent that a CLI would take for a command in place of an order to its model: `!ls` runs without a
 * question. A CLI whose prompt is a command line runs commands anyway, and is not concerned.
 * @throws Failure `permission_denied`
 */
export function refuseCommand(caller: Caller, harnesses: Harnesses, harness: string | undefined, prompt: string): void {
  const runsLines = harness !== undefined && harnesses.find(harness)?.notePrefix !== undefined;
  const [, first] = command.exec(prompt.normalize('NFKC')) ?? [];
  if (caller.kind === 'person' || runsLines || first === undefined) return;
  throw new Failure(
    'permission_denied',
    `prompt begins with ${quoted(first)}, which a CLI takes for a command and not for an order: only a person may give it ` +
      'commands. Begin with a word',
  );
}
