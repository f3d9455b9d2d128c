// A program that looks and takes keys as Claude Code does: a composer with bracketed paste, a turn, a question. What is
// submitted, and every key that reaches anything else, is appended to files as JSON lines. A prompt says what its turn
// is: `work` continues until Escape, `ask` asks a question, anything else ends at once. Arguments make it misbehave.
import { appendFileSync } from 'node:fs';
import { argv, stdin, stdout } from 'node:process';

const [, , folder, ...faults] = argv;
const [begin, end] = ['\u001b[200~', '\u001b[201~'].map((mark) => Buffer.from(mark));
const rule = '─'.repeat(200);
let bytes = Buffer.alloc(0);
let draft = '';
let turn = 'rest';
let choice = 1;
let escapedAt = Number.NEGATIVE_INFINITY;
let swallow = faults.includes('swallow-once') ? 1 : faults.includes('swallow') ? Number.POSITIVE_INFINITY : 0;
const done = [];

function log(file, value) {
  appendFileSync(`${folder}/${file}`, `${JSON.stringify(value)}\n`);
}

function shownDraft() {
  if (faults.includes('draws-no-draft')) return ['❯ '];
  const lines = draft.split('\n');
  if (lines.length > 3 || draft.length > 500) return [`❯ [Pasted text #1 +${lines.length} lines]`];
  return lines.map((line, at) => `${at === 0 ? '❯ ' : '  '}${line.slice(0, 150)}`);
}

function rows() {
  const history = done.slice(-5).flatMap((text) => [`❯ ${text.split('\n')[0].slice(0, 100)}`, '', '● Done.', '']);
  // The limit is over once it is asked to continue.
  if (faults.includes('limited') && !done.includes('continue')) {
    history.push('❯ go on', "  ⎿  You've hit your limit · resets 3pm (Europe/Berlin)", '');
  }
  if (turn === 'ask') {
    const options = ['Yes', 'No'].map((label, at) => ` ${choice === at + 1 ? '❯' : ' '} ${at + 1}. ${label}`);
    return [
      ...history,
      rule,
      ' Bash command',
      '',
      '   touch x',
      '',
      ' Do you want to proceed?',
      ...options,
      '',
      ' Esc to cancel',
    ];
  }
  const status = turn === 'work' ? ['✻ Pondering… (3s · esc to interrupt)', ''] : [];
  const footer = turn === 'work' ? '  esc to interrupt' : '  ? for shortcuts';
  return [...history, ...status, rule, ...shownDraft(), rule, footer];
}

function paint() {
  stdout.write(`\u001b[2J\u001b[H${rows().join('\r\n')}`);
}

function submit() {
  if (draft === '') return;
  if (swallow > 0) {
    swallow -= 1;
    return;
  }
  log('submitted', draft);
  done.push(draft);
  if (['work', 'ask'].includes(draft)) turn = draft;
  draft = '';
}

/** Whether this Escape ends the turn: with `wants-two-at-once`, the second within half a second. */
function endsAtEscape() {
  const before = escapedAt;
  escapedAt = performance.now();
  return !faults.includes('goes-on') && (!faults.includes('wants-two-at-once') || escapedAt - before < 500);
}

function key(text) {
  log('keys', text);
  if (turn === 'ask') {
    if (text === '\u001b[B') choice = 2;
    else if (text === '\u001b[A') choice = 1;
    else if (text === '\r') turn = choice === 1 ? 'work' : 'rest';
    else if (/^[12]$/.test(text)) turn = text === '1' ? 'work' : 'rest';
  } else if (turn === 'work' && text === '\u001b' && endsAtEscape()) turn = 'rest';
  else if (text === '\r') submit();
  else if (/^[ -~]+$/.test(text)) draft += text;
}

function take() {
  const from = bytes.indexOf(begin);
  const to = from < 0 ? -1 : bytes.indexOf(end, from);
  if (from >= 0 && to < 0) return;
  const plain = bytes.subarray(0, from < 0 ? bytes.length : from).toString();
  // Text and the Enter after it may come at once.
  for (const one of plain.split(/(\r)/)) if (one !== '') key(one);
  if (from < 0) bytes = Buffer.alloc(0);
  else {
    if (!faults.includes('deaf')) draft += bytes.subarray(from + begin.length, to).toString();
    bytes = bytes.subarray(to + end.length);
    if (faults.includes('asks-on-paste')) turn = 'ask';
    if (bytes.length > 0) take();
  }
  if (!faults.includes('deaf')) paint();
}

stdin.setRawMode(true);
stdin.on('data', (chunk) => {
  bytes = Buffer.concat([bytes, chunk]);
  take();
});
stdout.write('\u001b[?2004h');
paint();
