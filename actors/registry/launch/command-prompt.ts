import type { Caller } from '#contract/caller.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';

/** What coding CLIs take for a shell command or a command of their own, where a prompt begins with it; also in its wide form. */
const command = /^\s*[!/]/;

/**
 * Refuses a prompt of an agent that a CLI would take for a command in place of an order to its model: `!ls` runs without a
 * question. A CLI whose prompt is a command line runs commands anyway, and is not concerned.
 * @throws Failure `permission_denied`
 */
export function refuseCommand(caller: Caller, harnesses: Harnesses, harness: string | undefined, prompt: string): void {
  const runsLines = harness !== undefined && harnesses.find(harness)?.notePrefix !== undefined;
  if (caller.kind === 'person' || runsLines || !command.test(prompt.normalize('NFKC'))) return;
  const [first = ''] = prompt.trimStart();
  throw new Failure(
    'permission_denied',
    `prompt begins with ${quoted(first)}, which a CLI takes for a command and not for an order: only a person may give it ` +
      'commands. Begin with a word',
  );
}
