import type { Paint, Style } from '#cli/print/color.ts';
import { printable, printableLines } from '#contract/printable.ts';
import type { ReviewFile } from '#contract/review/review-round.ts';

/** The colour of a patch's line by its first character, as in git. */
const styles: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** A file of a diff, or the part of it that follows `before`, coloured and safe to show. */
export function diffText(paint: Paint, file: ReviewFile, before: ReviewFile | undefined): string {
  const { path = '', oldPath = path, patch = '', partial = false } = file;
  const goesOn = partial && before?.partial === true && before.path === path;
  const head = goesOn ? [] : headOf(file, oldPath, path).map((line) => paint('bold', line));
  const lines = head.map((line) => `${line}\n`).join('');
  return lines + printableLines(patch).replace(/^([-+@]).*/gm, (line, mark: string) => paint(styles[mark] ?? [], line));
}

function headOf(file: ReviewFile, oldPath: string, path: string): string[] {
  const { change = '', omitted, oldMode, newMode, oldBytes = '0', newBytes = '0', patch = '' } = file;
  const lines = [`diff --git ${printable(`a/${oldPath} b/${path}`)}`];
  if (change.endsWith('_ADDED')) lines.push(`new file mode ${newMode}`);
  if (change.endsWith('_DELETED')) lines.push(`deleted file mode ${oldMode}`);
  if (oldMode !== undefined && newMode !== undefined && oldMode !== newMode) {
    lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  }
  if (change.endsWith('_RENAMED')) lines.push(`rename from ${printable(oldPath)}`, `rename to ${printable(path)}`);
  const isSame = patch === '' && oldMode !== undefined && newMode !== undefined;
  if (omitted === undefined && !isSame) {
    lines.push(`--- ${change.endsWith('_ADDED') ? '/dev/null' : printable(`a/${oldPath}`)}`);
    lines.push(`+++ ${change.endsWith('_DELETED') ? '/dev/null' : printable(`b/${path}`)}`);
  } else if (omitted !== undefined) {
    const kind = omitted.endsWith('_BINARY') ? 'A binary file' : 'A file too large to show';
    lines.push(`${kind}: ${oldBytes} bytes before, ${newBytes} now`);
  }
  return lines;
}
