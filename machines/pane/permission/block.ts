import type { AskedChoice } from '#contract/approval/asked-question.ts';
import { isUncut, type Subject } from './dialog.ts';

/** A question of opencode or Kilo, beside a bar, with buttons. */
export interface Block {
  readonly rows: readonly string[];
  readonly subject: Subject;
  readonly choices: readonly AskedChoice[];
}

const button = /(Allow once|Allow always|Reject)(?= |$)/g;

/**
 * Reads the block of rows beside a bar: `△ Permission required`, a heading, one `$` row, and the buttons. A long one is
 * not whole, because it may be scrolled. `isMarked` returns whether a button is the one that Enter presses.
 */
export function readBlock(
  framed: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
  isMarked: (label: string) => boolean,
): Block | undefined {
  const rows = framed.map((row) => row.replace(/^ *┃ ?/u, '').trimEnd());
  const [edge, head = '', title = '', gap, ...rest] = rows;
  if (edge !== '' || head !== ' △ Permission required') return undefined;
  const last = rest.findLastIndex((row) => /^ {2}Allow once {2,}Allow always {2,}Reject\b/.test(row));
  if (last < 0) return undefined;
  const body = rest.slice(0, last).filter((row) => row !== '');
  const labels = [...(rest[last] ?? '').matchAll(button)].map(([label]) => label);
  const fits = framed.length * 2 <= height && gap === '' && rows.filter((row) => row.includes('△')).length === 1;
  const choices: AskedChoice[] = [];
  if (labels[0] === 'Allow once' && isMarked('Allow once')) choices.push({ label: 'Allow once', keys: ['Enter'] });
  if (labels.includes('Reject')) choices.push({ label: 'Reject', keys: ['Escape'] });
  return { rows: [head, title, ...body], subject: subjectIn({ title, body, fits, width }), choices };
}

function subjectIn(block: {
  readonly title: string;
  readonly body: readonly string[];
  readonly fits: boolean;
  readonly width: number;
}): Subject {
  const { title, body, fits, width } = block;
  const [row = '', ...more] = body;
  const command = /^ ?\$ (\S.*)$/.exec(row)?.[1];
  if (command !== undefined && /^ {3}# \S/.test(title)) {
    return { tool: 'shell', command, whole: fits && more.length === 0 && isUncut(row, width - 4) };
  }
  const path = /^ {3}[→←] (?:Edit|Write|Create) (\S.*)$/u.exec(title)?.[1];
  if (path !== undefined) return { tool: 'write', path, whole: fits && isUncut(title, width - 4) };
  const read = /^ {3}→ Read (\S.*)$/u.exec(title)?.[1];
  if (read !== undefined) return { tool: 'read', path: read, whole: fits && isUncut(title, width - 4) };
  return { tool: 'other', whole: false };
}
