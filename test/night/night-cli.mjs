// A scripted agent for the test of a night: a program that looks and takes keys as Claude Code or Codex does. The line
// `steps: …` of its prompt says what happens one after the other: `deploy` and `publish` ask whether that command may be
// run, `limit=TIME` shows the usage limit of its account until it is asked to continue, `limit` (of a Codex) one without an
// end, `work` never ends, `exit=CODE` ends it. After the last step it rests.
import { argv, exit, stdout } from 'node:process';
import { readTyped } from '../support/typed-input.mjs';

const [, , harness] = argv;
const bullet = harness === 'codex' ? '•' : '●';
const line = '─'.repeat(74);
const choices = ['Yes', 'Yes, and don’t ask again', 'No, and tell it what to do differently'];
const commands = { deploy: 'npm run deploy -- --to staging', publish: 'npm publish' };
const workMs = 600;
const said = [];
let steps = [];
let turn = 'rest';
let choice = 1;
let draft = '';
let continued = 0;

function limitRow(time) {
  if (time === undefined) return "■ You've hit your usage limit. Upgrade to Pro.";
  const at = new Date(Number(time));
  const minutes = (zone) => at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', ...zone });
  if (harness === 'codex') return `■ You've hit your usage limit. Upgrade to Pro or try again at ${minutes({})}.`;
  const clock = minutes({ timeZone: 'UTC' }).replace(' ', '').toLowerCase();
  return `  ⎿  You've hit your limit · resets ${clock} (UTC)`;
}

function question() {
  const options = choices.map((label, at) => ` ${choice === at + 1 ? '❯' : ' '} ${at + 1}. ${label}`);
  const asked = [' Bash command', '', `   ${commands[turn]}`, '', ' Do you want to proceed?'];
  return [line, ...asked, ...options, '', ' Esc to cancel'];
}

function composer() {
  if (harness === 'codex') {
    const words = draft === '' ? '\u001b[2mAsk Codex to do anything\u001b[0m' : draft;
    const status = turn === 'work' ? ['• Working (1s • esc to interrupt)', ''] : [];
    return [...status, `\u001b[1m›\u001b[0m ${words}`, '', '  gpt-5.4 default · ~/demo'];
  }
  const status = turn === 'work' ? ['✻ Pondering… (3s · esc to interrupt)', ''] : [];
  return [...status, line, `❯ ${draft}`, line, turn === 'work' ? '  esc to interrupt' : '  ? for shortcuts'];
}

function paint() {
  const rows = [...said.slice(-10), ...(commands[turn] === undefined ? composer() : question())];
  stdout.write(`\u001b[2J\u001b[H${rows.join('\r\n')}`);
}

/** Begins the next step, after a short time at work. */
function proceed() {
  turn = 'work';
  paint();
  setTimeout(() => {
    const [step, value] = (steps.shift() ?? 'rest').split('=');
    if (step === 'exit') exit(Number(value));
    if (step === 'rest') said.push(`${bullet} Done.`, '');
    if (step === 'limit') said.push(limitRow(value), '');
    turn = step === 'limit' ? 'rest' : step;
    paint();
  }, workMs);
}

function submit() {
  const text = draft;
  draft = '';
  if (text.trim() === '') return;
  said.length = 0;
  said.push(
    harness === 'codex' ? `› ${text.split('\n')[0].slice(0, 60)}` : `❯ ${text.split('\n')[0].slice(0, 60)}`,
    '',
  );
  const script = /^steps: (.+)$/m.exec(text)?.[1];
  if (script !== undefined) steps = script.split(' ');
  if (text === 'continue') {
    continued += 1;
    said.push(`${bullet} continued ${continued}`, '');
  }
  proceed();
}

function press(key) {
  if (commands[turn] === undefined) {
    if (key === '\r') submit();
    else if (/^[ -~]+$/.test(key)) draft += key;
  } else if (key === '\u001b[B') choice = Math.min(choices.length, choice + 1);
  else if (key === '\u001b[A') choice = Math.max(1, choice - 1);
  else if (key === '\r' || /^[123]$/.test(key)) {
    choice = 1;
    said.push(`${bullet} ran ${commands[turn]}`, '');
    proceed();
  }
}

readTyped({
  onTyped: (text) => {
    for (const one of text.split(/(\r)/)) if (one !== '') press(one);
  },
  onPasted: (text) => {
    draft += text;
  },
  onTaken: paint,
});
paint();
