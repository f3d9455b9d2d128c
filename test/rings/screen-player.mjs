// A program that shows whole screens of a CLI as it is told to over a socket, and tells what is typed into it and what it
// showed by then. A paste stands behind the cursor as a draft, and so does what is typed where a screen says so; Enter submits
// it. Until it is told otherwise it does as a CLI does: a turn follows what is submitted, and rest follows the turn. It ends where
// it is told of a screen that ends it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { stdin, stdout } from 'node:process';

const [, , folder] = process.argv;
const { rest, turn } = JSON.parse(readFileSync(`${folder}/first-screens.json`, 'utf8'));
const [begin, end] = ['\u001b[200~', '\u001b[201~'];
const turnMs = 300;
let shown = rest;
let since = Date.now();
let draft = '';
let input = '';
let director;

function show(screen) {
  if (screen.ends) process.exit(0);
  shown = screen;
  since = Date.now();
  draft = '';
  const rows = screen.rows.map((row) => `\u001b[0m${row}\u001b[0m\u001b[K`).join('\r\n');
  if (screen.title) stdout.write(`\u001b]2;${screen.title}\u001b\\`);
  stdout.write(`\u001b[H${rows}\u001b[J\u001b[${screen.cursor.row + 1};${screen.cursor.column + 1}H`);
}

function tell(what, text) {
  const at = Date.now();
  director?.write(
    `${JSON.stringify({ what, text, on: shown.name, isDraft: draft !== '', at, sinceMs: at - since })}\n`,
  );
}

function typed(text, isPaste) {
  tell(isPaste ? 'pasted' : 'pressed', text);
  if (isPaste ? shown.echoes : shown.types && /^[ -~]+$/.test(text)) {
    draft += text;
    stdout.write(text);
  } else if (text === '\r' && draft !== '') {
    tell('submitted', draft);
    draft = '';
    if (director === undefined) {
      show(turn);
      setTimeout(() => show(rest), turnMs);
    } else show(turn);
  }
}

stdin.setRawMode(true);
stdin.on('data', (chunk) => {
  input += chunk;
  for (;;) {
    const from = input.indexOf(begin);
    const to = input.indexOf(end);
    if (from >= 0 && to < 0) return;
    if (from < 0) {
      if (input !== '') typed(input, false);
      input = '';
      return;
    }
    if (from > 0) typed(input.slice(0, from), false);
    typed(input.slice(from + begin.length, to), true);
    input = input.slice(to + end.length);
  }
});

createServer((socket) => {
  director = socket;
  let told = '';
  socket.on('data', (chunk) => {
    told += chunk;
    for (let at = told.indexOf('\n'); at >= 0; at = told.indexOf('\n')) {
      show(JSON.parse(told.slice(0, at)));
      told = told.slice(at + 1);
    }
  });
  socket.on('error', () => undefined);
}).listen(`${folder}/${process.env.SERVICE_AGENT_ID.slice(-12)}`);
stdout.write('\u001b[?2004h\u001b[2J');
show(rest);
