// A scripted agent for the page's tests: a program that looks and takes keys as Claude Code does, with bracketed paste.
// What a line of a prompt begins with says what its turn is: `work` continues until Escape, `ask` asks whether a file
// may be edited, `deploy` whether a command may be run, `both` the one after the other, anything else ends at once.
// `form SCREEN=KEY,SCREEN=KEY` shows recorded screens of Claude Code one after another: each until its key is pressed,
// at any other key it stays; `--begins SCREEN=KEY,…` does so before there is a composer. A key is a digit, Down or
// Enter. Started with `--led-by SOCKET` it also turns to whatever is reported there, `work`, `ask` or `rest`, turns its
// spinner ten times a second, and reports when the last byte of each screen was written.
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { argv, env, stdout } from 'node:process';
import { readTyped } from '../support/typed-input.mjs';

const line = '─'.repeat(74);
const choices = ['Yes', 'Yes, and allow all edits this session', 'No, and tell it what to do differently'];
const said = [];
let draft = '';
let turn = 'rest';
let choice = 1;
let frame = 0;
/** The questions that are still to be asked, the one on the screen first. */
let questions = [];

const named = { Down: '\u001b[B', Enter: '\r' };

/** The recorded screens that a text names, with the keys at which each gives way to the next. */
function recorded(text = '') {
  return text
    .split(',')
    .filter((one) => one !== '')
    .map((one) => {
      const [name, key] = one.split('=');
      const file = new URL(`../pane/screens/claude/${name}.ansi`, import.meta.url);
      return { rows: readFileSync(file, 'utf8').trimEnd().split('\n'), key: named[key] ?? key };
    });
}

const beginsAt = argv.indexOf('--begins');
let shown = beginsAt < 0 ? [] : recorded(argv[beginsAt + 1]);

const glyphs = [...'✻✽✶✳✢·'];
const leaderAt = argv.indexOf('--led-by');
const leader = leaderAt < 0 ? undefined : createConnection(argv[leaderAt + 1]);

function status() {
  return `${glyphs[frame % glyphs.length]} Pondering… (${3 + Math.floor(frame / 10)}s · esc to interrupt)`;
}

const edit = [
  ' Edit file  src/login.ts',
  '',
  '   14 -   if (session.expires < now) return login();',
  '   14 +   if (session.expires <= now) return login();',
  '',
  ' Do you want to make this edit to login.ts?',
];
const command = [' Bash command', '', '   npm run deploy -- --to staging', '', ' Do you want to proceed?'];
const asks = { ask: [edit], deploy: [command], both: [edit, command] };

function rows() {
  if (shown.length > 0) return shown[0].rows;
  const above = said.slice(-12);
  if (turn === 'ask') {
    const options = choices.map((label, at) => ` ${choice === at + 1 ? '❯' : ' '} ${at + 1}. ${label}`);
    return [...above, line, ...(questions[0] ?? edit), ...options, '', ' Esc to cancel'];
  }
  const footer = turn === 'work' ? '  esc to interrupt' : '  ? for shortcuts';
  return [
    ...above,
    ...(turn === 'work' ? [status(), ''] : []),
    line,
    ...draft.split('\n').map((text, at) => `${at === 0 ? '❯ ' : '  '}${text}`),
    line,
    footer,
  ];
}

function paint() {
  stdout.write(`\u001b[2J\u001b[H${rows().join('\r\n')}`);
  // A terminal takes what is written before the call returns.
  leader?.write(`${JSON.stringify({ turn, at: performance.timeOrigin + performance.now() })}\n`);
}

function spin() {
  if (turn !== 'work') return;
  frame += 1;
  stdout.write(`\u001b7\u001b[${said.slice(-12).length + 1};1H${status()}\u001b[K\u001b8`);
}

function follow(orders) {
  for (const order of orders.trim().split('\n')) {
    turn = order;
    frame = 0;
    if (order === 'rest') said.push('● Done.', '');
    paint();
  }
}

function submit() {
  const text = draft.trim();
  draft = '';
  if (text === '') return;
  said.push(`❯ ${text.split('\n')[0].slice(0, 70)}`, '');
  shown = recorded(/^form (\S+)$/m.exec(text)?.[1]);
  if (shown.length > 0) return;
  const [first] = /^(?:work|ask|deploy|both)\b/m.exec(text) ?? [];
  questions = [...(asks[first] ?? [])];
  if (first !== undefined) turn = questions.length > 0 ? 'ask' : first;
  else said.push('● Done.', '');
}

function answer(which) {
  said.push(`● ${choices[which - 1]}.`, '');
  questions.shift();
  choice = 1;
  if (which !== 3 && questions.length > 0) return;
  turn = which === 3 ? 'rest' : 'work';
}

function press(key) {
  if (shown.length > 0) {
    if (key !== shown[0].key) return;
    shown.shift();
    if (shown.length === 0) said.push('● Done.', '');
  } else if (turn === 'ask') {
    if (key === '\u001b[B') choice = Math.min(3, choice + 1);
    else if (key === '\u001b[A') choice = Math.max(1, choice - 1);
    else if (key === '\r') answer(choice);
    else if (/^[123]$/.test(key)) answer(Number(key));
    else if (key === '\u001b') answer(3);
  } else if (turn === 'work') {
    if (key !== '\u001b') return;
    said.push('  ⎿ Interrupted', '');
    turn = 'rest';
  } else if (key === '\r') submit();
  else if (/^[ -~]+$/.test(key)) draft += key;
}

readTyped({
  onTyped: press,
  onPasted: (text) => {
    draft += text;
  },
  onTaken: paint,
});
leader
  ?.setEncoding('utf8')
  .on('data', follow)
  .on('error', () => undefined);
leader?.write(`${JSON.stringify({ agentId: env.SERVICE_AGENT_ID })}\n`);
if (leader !== undefined) setInterval(spin, 100);
paint();
