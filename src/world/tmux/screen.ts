import type { Capture } from '#contract/pane/capture.ts';
import { withoutPlainBlanks } from '#world/terminal/plain-blanks.ts';
import type { ProgramStatus } from '#world/terminal/status-scanner.ts';
import { quote } from './control-line.ts';
import type { Block } from './control-parser.ts';
import { withLinesDrawn } from './line-drawing.ts';
import { unescapeText } from './octal.ts';

const fields = [
  'pane_id',
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'pane_in_mode',
  'pane_dead',
  'pane_current_command',
  'window_activity',
  'pane_title',
];
/** The fields, and the time in seconds, which tmux substitutes for `%s`. */
const format = quote(['%s', ...fields.map((field) => `#{${field}}`)].join('\t'));

/**
 * The lines that read a pane's screen through a buffer: printed directly, the text would stay in the memory of tmux
 * before 3.6 forever. The buffer is deleted at once, or people would paste it.
 */
export function captureLines(paneId: string, buffer: string): string[] {
  return [
    `capture-pane -e -N -b ${buffer} -t ${paneId}`,
    `display-message -p -t ${paneId} ${format}`,
    `show-buffer -b ${buffer}`,
    `delete-buffer -b ${buffer}`,
  ];
}

/** Links (OSC 8), which newer versions of tmux put into a capture: they do not change how a cell looks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are exactly what is looked for
const link = /\u001b\]8;[^\u001b\u0007]*(?:\u001b\\|\u0007)/g;

/** The rows of the screen, with the blanks that tmux keeps at their ends, because some are coloured. */
function readRows(lines: readonly string[]): string[] {
  return withoutPlainBlanks(withLinesDrawn(lines.map((line) => unescapeText(line).replace(link, ''))));
}

/** Reads the answers to `captureLines`; undefined if there is no such pane. */
export function readCapture(paneId: string, blocks: readonly Block[], status: ProgramStatus): Capture | undefined {
  const [captured, described, shown] = blocks;
  const [now, id, width, height, column, row, inMode, dead, command = '', printedAt, title = ''] = (
    described?.lines[0] ?? ''
  ).split('\t');
  if (captured?.ok !== true || id !== paneId) return undefined;
  return {
    rows: readRows(shown?.ok === true ? shown.lines : []),
    title,
    ...status,
    width: Number(width),
    height: Number(height),
    cursor: { column: Number(column), row: Number(row) },
    command,
    silentMs: Math.max(0, Number(now) - Number(printedAt)) * 1000,
    inMode: Number(inMode) > 0,
    dead: dead === '1',
  };
}
