import { framedText } from './framed-text.ts';

/** Maximum length of a wording, in characters. */
const longest = 200;
/** From which length explanatory sentences are left out, and their minimum length, in characters. */
const wordy = 120;
const longProse = 50;
const prose = /^\p{Lu}\p{L}* [\p{L}']+ /u;
/** A sentence longer than this ends a paragraph, in characters. */
const longSentence = 80;

/** Control characters, and characters that are invisible or change the direction of text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;
const drawn = /[\u2500-\u259f\u2800-\u28ff]+/gu;
const bullet = /^(?:[△▲●⏺○◐•◆✦✨?⚠!→←↳⎿*>·#☐☒☑✔✓✗ℹ…⏠↓↑]+|-(?= ))[\s?!]*/u;
const trailing = /(?:[\s←→↑↓:✔✓│]|(?<= )>| [+-]\d+)+$/u;
/** The possible answers after a question, and everything behind them, which may have been typed. */
const answers = /\s*(?:\(Y\)es\/|\[\(y\)es|[[(][yY](?:es)?\/[nN]o?[\])]).*$/u;
const keyAside = /\s*\((?:tab|esc|enter|press|use|shift\+tab|ctrl)\b[^)]*\)/giu;
const key = /\b(?:enter|return|esc|escape|tab|space|arrows?|ctrl[+-]\w|keys?)\b|[↑↓⇆↕↵]|^press \S+ to /i;
const keyVerb =
  /\b(?:to|select|submit|confirm|cancel|dismiss|navigate|interrupt|scroll|toggle|accept|adjust|back|exit|close|amend|continue|fullscreen)\b/i;

/** Whether a text explains keys. */
export function isHint(text: string): boolean {
  const bare = text.replace(/^[(\s]+|[)\s]+$/g, '');
  if (!key.test(bare) || !keyVerb.test(bare)) return false;
  return (
    /^(?:press (?!any)|use |↑|⇆|space |tab |enter |esc |return |ctrl|shift|s to |[a-z ]*enter\b)/i.test(bare) ||
    / [·|] | {2,}/.test(bare)
  );
}

/** Whether a text is a question. */
export function isQuestion(text: string): boolean {
  return /\?(?:\s|$)/.test(text) && !/^\?/.test(text);
}

/** Text that only leads in to a question. */
const leadIn =
  /\bneeds (?:your )?(?:permission|information|input|approval)\.?$|\bis asking a question$|^(?:\S )?Permission required$|^(?:Question|Field) \d+\/\d+/i;

/** Whether a text is a lead-in: the question itself is below it. */
export const isLeadIn = (text: string): boolean => leadIn.test(text);

/** Lines without information about the question. */
const hollow =
  /^(?:Welcome to .*|Let's get started\.?|Tip: .*|Answer Questions|AskUserQuestion .*|Ask user|Here is .*plan|Environment: local|Description: Apply proposed file edits|Security guide|Waiting for (?:user confirmation|approval).*|[\w ]{2,20} v\d+(?:\.\d+)+|[{}[\],]+|Chat about this|Next|↓ \d+ more)$/iu;
/** A question that refers to the text next to it. */
const bare =
  /^(?:Do you want|Would you like|How would you like|Allow|Apply|Approve|Proceed|Continue|Ready|Implement|Run|Write to)\b[^?]*\?$/i;
const named = /^(?:Create|Edit|Write|Read|Update|Delete|Overwrite) file$/i;

/** The question in rows, on one line: first its subject, last a generic question. Empty if there is none. */
export function wordingOf(rows: readonly string[], width: number): string {
  const said = paragraphs(rows, width).map(lineOf).filter(isReadable);
  const worth = said.filter((line) => !hollow.test(line) && !isLeadIn(line));
  const lines = worth.length > 0 ? worth : said;
  const joined: string[] = [];
  for (const line of lines) {
    if (named.test(joined.at(-1) ?? '')) joined.push(`${joined.pop()} ${line}`);
    else joined.push(line);
  }
  return cut(shorter(ordered(once(joined))).join(' · '));
}

/** The paragraphs of rows: wrapped rows are joined, and code is left out. */
function paragraphs(rows: readonly string[], width: number): string[] {
  const framed = rows.map((row) => framedText(row.replace(unseen, '')));
  const texts = framed.map(({ text }) => text);
  const found: string[] = [];
  let room = Number.POSITIVE_INFINITY;
  for (const [at, { text, column }] of framed.entries()) {
    if (column > width * 0.7 || saysNothing(text) || isCode(texts, at)) {
      room = Number.POSITIVE_INFINITY;
      continue;
    }
    const isWrapped = (/^\S+/.exec(text)?.[0].length ?? 0) >= room;
    // A command may have several lines.
    const isMore = Number.isFinite(room) && isCommand(found.at(-1) ?? '');
    if (isWrapped || isMore) found.push(`${found.pop()} ${text}`);
    else found.push(text);
    room = rightOf(rows[at] ?? '', width) - column - text.length;
  }
  return found;
}

/** Whether a row has no words, or only names of keys or tabs. */
function saysNothing(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text) || isHint(text) || /^←.*→$|^\S+(?: {3,}\S+){2,}$/u.test(text);
}

/** The column at which a row is wrapped. */
function rightOf(row: string, width: number): number {
  const side = /[│┃█](?:[ │┃█▄▀]*)$/u.exec(row);
  return (side !== null && side.index > 0 ? side.index : width) - 2;
}

/** Whether a row is a line of code, or of a diff. */
function isCode(texts: readonly string[], at: number): boolean {
  const text = texts[at] ?? '';
  if (/^(?:@@ |\+(?!\d)|\.{3}$)|^\d+ *[+-](?: |$|\S)/.test(text)) return true;
  if (/^- ?\S/.test(text)) return texts.some((one) => one.startsWith('+'));
  const number = lineNumber(text);
  if (number === undefined) return false;
  const [above, below] = [texts[at - 1] ?? '', texts[at + 1] ?? ''];
  if (/^[╌╭]/u.test(above) && /^[╌╰]/u.test(below)) return true;
  return [above, below].some((one) => Math.abs((lineNumber(one) ?? -9) - number) <= 1);
}

function lineNumber(text: string): number | undefined {
  const found = /^(\d+)(?: |$)/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function lineOf(paragraph: string): string {
  const field = /^"(\w+)": "?(.*?)"?,?$/.exec(paragraph);
  if (field !== null) return /\\n/.test(field[2] ?? '') ? '' : `${field[1]}: ${field[2]}`;
  const said = paragraph
    .replace(drawn, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(bullet, '')
    .replace(answers, '')
    .replace(keyAside, '')
    .replace(trailing, '');
  return isCommand(said) ? said : sentence(said).replace(/(?<=\p{L}{2})\.$/u, '');
}

const isCommand = (line: string): boolean => line.startsWith('$ ');

/** The first sentence of a long text, if it begins with one. */
function sentence(text: string): string {
  if (text.length <= longSentence || !/^\p{Lu}\p{L}* /u.test(text)) return text;
  const first = /^.{10,}?[.?](?= \p{Lu}| \()/u.exec(text)?.[0];
  return first ?? text;
}

function isReadable(line: string): boolean {
  return (
    /[\p{L}\p{N}]/u.test(line) && !(/^https?:\/\/\S+$/.test(line) || (/^\S{60,}/.test(line) && !line.startsWith('/')))
  );
}

/** Lines without duplicates, and without lines that another one contains. */
function once(lines: readonly string[]): string[] {
  const plain = lines.map((line) => line.replace(/^\$ /, ''));
  return lines.filter(
    (_, at) =>
      !plain.some(
        (other, place) => place !== at && other.includes(plain[at] ?? '') && (other !== plain[at] || place < at),
      ),
  );
}

function ordered(lines: readonly string[]): string[] {
  const commands = lines.filter(isCommand);
  const questions = lines.filter((line) => bare.test(line));
  const others = lines.filter((line) => !isCommand(line) && !bare.test(line));
  return [...commands, ...others, ...questions.slice(-1)];
}

/** If lines with a question are long together, leaves out those that only explain. */
function shorter(lines: readonly string[]): readonly string[] {
  if (lines.join(' · ').length <= wordy || !lines.some((line) => line.endsWith('?'))) return lines;
  return lines.filter((line, at) => at === 0 || line.length < longProse || line.endsWith('?') || !prose.test(line));
}

function cut(text: string): string {
  const letters = [...text];
  if (letters.length <= longest) return text;
  const kept = letters.slice(0, longest - 1).join('');
  return `${kept.trimEnd()}…`;
}
