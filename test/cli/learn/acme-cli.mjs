// A CLI as no built-in one is drawn: a composer between double rules with a sign of its own, a placeholder in a plain
// colour, work that is shown by a sign that moves, and a question without marks. A prompt says what its turn is: `work`
// goes on until Escape, `run` asks for permission, `shy` shows a choice in a narrow window and nothing in others,
// anything else ends at once. `fails` as its argument ends it at once.
import { argv, exit, stdin, stdout } from 'node:process';

if (argv.includes('fails')) {
  stdout.write('acme: no licence was found\r\n');
  exit(3);
}
const wave = ['◜', '◝', '◞', '◟'];
const done = [];
let draft = '';
let turn = 'rest';
let beat = 0;

function composer() {
  const rule = '═'.repeat(Math.max(10, stdout.columns - 2));
  const inside = draft === '' ? '\u001b[35mAsk acme for something\u001b[39m' : draft;
  return [rule, `» ${inside}`, rule, '  acme-9 · 100% left'];
}

function rows() {
  const history = done.slice(-4).flatMap((text) => [`you said ${text}`, '', 'I have done that.', '']);
  if (turn === 'run') {
    return [...history, 'acme would like to run', '', '    touch hello', '', '  (a) allow this time   (n) never'];
  }
  if (turn === 'shy') return stdout.columns > 100 ? [] : ['acme has a choice for you', '', '  (x) accept   (y) cancel'];
  const work = turn === 'work' ? [`  ${wave[beat % 4]} crunching`, ''] : [];
  return [...history, ...work, ...composer()];
}

function paint() {
  stdout.write(`\u001b[2J\u001b[H${rows().join('\r\n')}`);
}

function submit() {
  if (draft === '') return;
  if (draft === 'quit') exit(0);
  turn = ['work', 'run', 'shy'].includes(draft) ? draft : 'rest';
  if (turn === 'rest') done.push(draft);
  draft = '';
}

stdin.setRawMode(true);
stdout.on('resize', paint);
stdin.on('data', (data) => {
  for (const key of data.toString()) {
    if (turn === 'run') turn = key === 'a' || key === 'n' ? 'rest' : turn;
    else if (turn === 'shy') turn = key === 'x' ? 'rest' : turn;
    else if (turn === 'work') turn = key === '\u001b' ? 'rest' : turn;
    else if (key === '\r') submit();
    else if (key >= ' ') draft += key;
  }
  paint();
});
setInterval(() => {
  beat += 1;
  if (turn === 'work') paint();
}, 120);
paint();
