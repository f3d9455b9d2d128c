import type { AnchorCheck, AnchorVerdict } from '#world/git/review/anchor.ts';

const numbers = Array.from({ length: 40 }, (_, index) => `${index + 1}`);
const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** What the base of the one round holds, and what its snapshot does. */
export const baseFiles: Readonly<Record<string, string | Buffer>> = {
  'a.txt': text(numbers),
  'old name.txt': text(numbers.map((line) => `row ${line}`)),
  'gone.txt': 'one\ntwo\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'open.txt': 'one\ntwo',
  'pic.bin': Buffer.from('\0one'),
  'same.txt': 'same\n',
};

/** Two lines are put before the fifth, the tenth is replaced, the twentieth removed. */
const edited = [
  ...numbers.slice(0, 4),
  'new 1',
  'new 2',
  ...numbers.slice(4, 9),
  'ten',
  ...numbers.slice(10, 19),
  ...numbers.slice(20),
];

export const snapshotFiles: typeof baseFiles = {
  'a.txt': text(edited),
  'new name.txt': text(numbers.map((line) => (line === '7' ? 'row seven' : `row ${line}`))),
  'crlf.txt': 'one\r\nzwei\r\n',
  'open.txt': 'one\nzwei',
  'added.txt': 'a\nb\nc\n',
  'pic.bin': Buffer.from('\0two'),
  'same.txt': 'same\n',
};

type PartialQuestion = Partial<AnchorCheck> & Pick<AnchorCheck, 'filePath'>;
type Reason = Extract<AnchorVerdict, { ok: false }>['reason'];

export interface AnchorCase {
  readonly what: string;
  readonly asked: PartialQuestion;
  /** Why it is refused, what the message names, and what really is there; unset if it is fine. */
  readonly refused?: { readonly reason: Reason; readonly says: string; readonly stands?: readonly string[] };
}

const old = (oldStart: number, oldEnd = oldStart) => ({ oldStart, oldEnd });
const now = (newStart: number, newEnd = newStart) => ({ newStart, newEnd });
const a = 'a.txt';

/** Places that a comment may be pinned to, and places that it may not. */
export const anchorCases: readonly AnchorCase[] = [
  { what: 'added lines', asked: { filePath: a, ...now(5, 6), quotedLines: ['+new 1', '+new 2'] } },
  {
    what: 'a replaced line, on both sides',
    asked: { filePath: a, ...old(10), ...now(12), quotedLines: ['-10', '+ten'] },
  },
  { what: 'a removed line', asked: { filePath: a, ...old(20), quotedLines: ['-20'] } },
  {
    what: 'context that stands elsewhere on each side',
    asked: { filePath: a, ...old(8, 9), ...now(10, 11), quotedLines: [' 8', ' 9'] },
  },
  { what: 'context, named on the new side alone', asked: { filePath: a, ...now(10, 11), quotedLines: [' 8', ' 9'] } },
  { what: 'a file', asked: { filePath: a } },
  { what: 'a binary file', asked: { filePath: 'pic.bin' } },
  { what: 'a file that was deleted', asked: { filePath: 'gone.txt', ...old(1, 2), quotedLines: ['-one', '-two'] } },
  {
    what: 'a renamed file, with its old side under its old name',
    asked: { filePath: 'new name.txt', ...old(7), ...now(7), quotedLines: ['-row 7', '+row seven'] },
  },
  {
    what: 'a last line without an end',
    asked: {
      filePath: 'open.txt',
      ...old(2),
      ...now(2),
      quotedLines: ['-two', '\\ No newline at end of file', '+zwei', '\\ No newline at end of file'],
    },
  },
  {
    what: 'lines of another system, quoted either way',
    asked: { filePath: 'crlf.txt', ...old(2), ...now(2), quotedLines: ['-two\r', '+zwei'] },
  },
  { what: 'lines that the diff shows, without a quote', asked: { filePath: a, ...now(4, 9) } },
  {
    what: 'lines far from each change, with a quote',
    asked: { filePath: a, ...now(31, 32), quotedLines: [' 30', ' 31'] },
  },
  {
    what: 'half a range',
    asked: { filePath: a, newStart: 5 },
    refused: { reason: 'range', says: 'newStart and newEnd go together' },
  },
  {
    what: 'an end before its start',
    asked: { filePath: a, ...now(6, 5) },
    refused: { reason: 'range', says: 'newStart 6 and newEnd 5' },
  },
  { what: 'a line nought', asked: { filePath: a, ...old(0, 1) }, refused: { reason: 'range', says: 'oldStart 0' } },
  {
    what: 'a range past the end',
    asked: { filePath: a, ...now(41, 42) },
    refused: { reason: 'outside', says: 'newEnd 42 is past the end of a.txt, which has 41 lines', stands: [' 40'] },
  },
  {
    what: 'a quote shorter than its range',
    asked: { filePath: a, ...now(5, 6), quotedLines: ['+new 1'] },
    refused: { reason: 'mismatch', says: 'quote 1 lines', stands: ['+new 1', '+new 2'] },
  },
  {
    what: 'a quote longer than its range',
    asked: { filePath: a, ...now(5), quotedLines: ['+new 1', '+new 2'] },
    refused: { reason: 'mismatch', says: 'after newEnd 5', stands: ['+new 1'] },
  },
  {
    what: 'a quote of something else',
    asked: { filePath: a, ...old(10), ...now(12), quotedLines: ['-10', '+eleven'] },
    refused: { reason: 'mismatch', says: 'line 12 of the new side is "ten", not "eleven"', stands: ['-10', '+ten'] },
  },
  {
    what: 'a quote without markers',
    asked: { filePath: a, ...now(5), quotedLines: ['new 1'] },
    refused: { reason: 'range', says: 'has no marker' },
  },
  {
    what: 'the old side of an added file',
    asked: { filePath: 'added.txt', ...old(1) },
    refused: { reason: 'outside', says: 'was added' },
  },
  {
    what: 'the new side of a deleted file',
    asked: { filePath: 'gone.txt', ...now(1) },
    refused: { reason: 'outside', says: 'was deleted' },
  },
  {
    what: 'lines of a binary file',
    asked: { filePath: 'pic.bin', ...now(1) },
    refused: { reason: 'binary', says: 'pic.bin is binary' },
  },
  {
    what: 'a file outside of the checkout',
    asked: { filePath: '../../etc/passwd', ...now(1) },
    refused: { reason: 'file', says: '../../etc/passwd' },
  },
  {
    what: 'a file that the diff does not touch',
    asked: { filePath: 'same.txt', ...now(1) },
    refused: { reason: 'file', says: 'same.txt' },
  },
  {
    what: 'a renamed file by its old name',
    asked: { filePath: 'old name.txt', ...now(7) },
    refused: { reason: 'file', says: 'name it new name.txt' },
  },
  {
    what: 'lines that the diff does not show, without a quote',
    asked: { filePath: a, ...now(31, 32) },
    refused: { reason: 'outside', says: 'does not show', stands: [' 30', ' 31'] },
  },
  {
    what: 'a quoted line that only looks like what a diff says of a file without a last end',
    asked: { filePath: a, ...now(5), quotedLines: ['+new 1', '\\ whatever\nit says'] },
    refused: { reason: 'range', says: 'marker' },
  },
  {
    what: 'a suggestion for a link',
    asked: { filePath: 'link', ...now(1), quotedLines: ['+a.txt'], hasSuggestion: true },
    refused: { reason: 'file', says: 'not a regular file' },
  },
  {
    what: 'a suggestion for lines that are gone',
    asked: { filePath: a, ...old(20), quotedLines: ['-20'], hasSuggestion: true },
    refused: { reason: 'range', says: 'suggestion' },
  },
  {
    what: 'a quote without a range',
    asked: { filePath: a, quotedLines: ['+new 1'] },
    refused: { reason: 'range', says: 'need their range' },
  },
];
