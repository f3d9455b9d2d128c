import { Failure } from '#contract/failure.ts';
import type { Key } from '#contract/key.ts';
import { pastedText } from '#world/terminal/pasted-text.ts';
import { checkStamp } from '#world/terminal/stamp.ts';
import type { WriteOutcome } from '#world/terminal/terminal.ts';
import { choice, quote, sequence } from './control-line.ts';
import type { Block } from './control-parser.ts';
import { stampOption } from './pane-table.ts';

const answers = {
  written: 'muster-written',
  'in-mode': 'muster-in-mode',
  dead: 'muster-dead',
  gone: 'muster-gone',
  late: 'muster-late',
} as const;

/** A write to a pane: the stamp that the pane gets in the same step, and until when it may happen. */
interface Write {
  readonly paneId: string;
  readonly stamp?: string | undefined;
  /** Milliseconds since 1970. */
  readonly until?: number | undefined;
}

/** The pane option for the strftime pattern by which tmux prints the time, in seconds since 1970. */
const timeOption = '@muster_now';

function say(answer: WriteOutcome): string {
  return `display-message -p ${answers[answer]}`;
}

/**
 * Commands that type into a pane, with checks that tmux itself makes: before 3.4, writing to a dead pane ends the whole
 * server; for a pane that is gone, tmux would use another one; and a pane that a person scrolls in would take the keys
 * as commands.
 */
function guarded({ paneId, until }: Write, commands: readonly string[]): string {
  const write = inTime(paneId, until, sequence(...commands, say('written')));
  const still = choice('#{pane_in_mode}', paneId, say('in-mode'), write);
  const alive = choice('#{pane_dead}', paneId, say('dead'), still);
  return choice(`#{==:#{pane_id},${paneId}}`, paneId, alive, say('gone'));
}

/** Commands that tmux runs only before a time, by its own clock, which it reads right before them. */
function inTime(paneId: string, until: number | undefined, commands: string): string {
  if (until === undefined) return commands;
  const isInTime = `#{e|<:#{T:${timeOption}},${Math.floor(until / 1_000)}}`;
  // Set on the pane itself each time, so that nothing the pane's program has set is used instead.
  return sequence(
    `set-option -p -t ${paneId} ${timeOption} ${quote('%s')}`,
    choice(isInTime, paneId, commands, say('late')),
  );
}

/** The commands that stamp the pane; none if there is no stamp. */
function marks(paneId: string, stamp: string | undefined): string[] {
  if (stamp === undefined) return [];
  checkStamp(stamp);
  return [`set-option -p -t ${paneId} ${stampOption} ${quote(stamp)}`];
}

/**
 * The lines that paste a text as one bracketed paste and stamp the pane; if nothing of the text is left, nothing is
 * pasted.
 */
export function pasteLines(write: Write, text: string, buffer: string): string[] {
  const { paneId, stamp } = write;
  const clean = pastedText(text);
  const mark = marks(paneId, stamp);
  if (clean === '') return [guarded(write, mark)];
  const paste = `paste-buffer -p -r -d -b ${buffer} -t ${paneId}`;
  return [`set-buffer -b ${buffer} -- ${quote(clean)}`, guarded(write, [paste, ...mark]), `delete-buffer -b ${buffer}`];
}

/**
 * The line that presses keys and stamps the pane if there is a stamp. @throws INVALID_ARGUMENT for an unknown key
 */
export function keyLine(write: Write, keys: readonly Key[]): string {
  const { paneId, stamp } = write;
  const unknown = keys.find((key) => !/^(?:C-)?[A-Za-z0-9]{1,10}$/.test(key));
  if (unknown !== undefined) throw new Failure('INVALID_VALUE', `"${unknown}" is not a key that can be pressed`);
  return guarded(write, [`send-keys -t ${paneId} ${keys.join(' ')}`, ...marks(paneId, stamp)]);
}

/** The line that types a text, character after character. */
export function textLine(write: Write, text: string): string {
  return guarded(write, [`send-keys -l -t ${write.paneId} -- ${quote(text)}`]);
}

/** The outcome of a guarded line. @throws INTERNAL with what tmux said when it refused. */
export function readWritten(blocks: readonly Block[]): WriteOutcome {
  const said = new Set(blocks.flatMap((block) => (block.lines.length === 1 ? block.lines : [])));
  for (const answer of ['written', 'in-mode', 'dead', 'gone', 'late'] as const)
    if (said.has(answers[answer])) return answer;
  const complaint = blocks.find((block) => !block.ok)?.lines.join(' ');
  // When a program has just ended, newer versions refuse to write a moment before they report the pane as dead.
  if (complaint?.includes('pane has exited')) return 'dead';
  throw new Failure('INTERNAL', `tmux did not type into the pane: ${complaint ?? 'it gave no answer'}`);
}
