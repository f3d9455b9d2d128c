import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import { pastedText } from '../terminal/pasted-text.ts';
import { checkStamp } from '../terminal/stamp.ts';
import type { Written } from '../terminal.ts';
import { choice, quote, sequence } from './control-line.ts';
import type { Block } from './control-parser.ts';
import { stampOption } from './pane-table.ts';

const answers = {
  written: 'muster-written',
  'in-mode': 'muster-in-mode',
  dead: 'muster-dead',
  gone: 'muster-gone',
} as const;

function say(answer: Written): string {
  return `display-message -p ${answers[answer]}`;
}

/**
 * Commands that type into a pane, guarded within tmux itself: writing to a dead pane ends the whole server before 3.4,
 * a pane that is gone would be taken for another one, and one that a person scrolls in would take keys for its own.
 */
function guarded(paneId: string, commands: readonly string[]): string {
  const write = sequence(...commands, say('written'));
  const still = choice('#{pane_in_mode}', paneId, say('in-mode'), write);
  const alive = choice('#{pane_dead}', paneId, say('dead'), still);
  return choice(`#{==:#{pane_id},${paneId}}`, paneId, alive, say('gone'));
}

/** The commands that stamp the pane; none where there is no stamp. */
function marks(paneId: string, stamp: string | undefined): string[] {
  if (stamp === undefined) return [];
  checkStamp(stamp);
  return [`set-option -p -t ${paneId} ${stampOption} ${quote(stamp)}`];
}

/** The lines that paste a text as one bracketed paste and stamp the pane; nothing is pasted where nothing is left of the text. */
export function pasteLines(paneId: string, text: string, stamp: string | undefined, buffer: string): string[] {
  const clean = pastedText(text);
  const mark = marks(paneId, stamp);
  if (clean === '') return [guarded(paneId, mark)];
  const paste = `paste-buffer -p -r -d -b ${buffer} -t ${paneId}`;
  return [
    `set-buffer -b ${buffer} -- ${quote(clean)}`,
    guarded(paneId, [paste, ...mark]),
    `delete-buffer -b ${buffer}`,
  ];
}

/** The line that presses keys and stamps the pane where there is a stamp. @throws Failure `invalid_argument` where one has no name that is known */
export function keyLine(paneId: string, keys: readonly Key[], stamp?: string): string {
  const unknown = keys.find((key) => !/^(?:C-)?[A-Za-z0-9]{1,10}$/.test(key));
  if (unknown !== undefined) throw new Failure('invalid_argument', `"${unknown}" is no key that can be pressed`);
  return guarded(paneId, [`send-keys -t ${paneId} ${keys.join(' ')}`, ...marks(paneId, stamp)]);
}

/** The line that types a text, character after character. */
export function textLine(paneId: string, text: string): string {
  return guarded(paneId, [`send-keys -l -t ${paneId} -- ${quote(text)}`]);
}

/** What a guarded line came to. @throws Failure `internal` with what tmux said where it refused. */
export function readWritten(blocks: readonly Block[]): Written {
  const said = new Set(blocks.flatMap((block) => (block.lines.length === 1 ? block.lines : [])));
  for (const answer of ['written', 'in-mode', 'dead', 'gone'] as const) if (said.has(answers[answer])) return answer;
  const complaint = blocks.find((block) => !block.ok)?.lines.join(' ');
  // Newer versions refuse a pane whose program has ended a moment before they call the pane dead.
  if (complaint?.includes('pane has exited')) return 'dead';
  throw new Failure('internal', `tmux did not type into the pane: ${complaint ?? 'it gave no answer'}`);
}
