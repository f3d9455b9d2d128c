// A program as agent CLIs are: raw keys, bracketed paste on. It writes what is typed outside of pastes and what arrives
// within each to files, each time whole, so that a test reads exactly the bytes that came.
import { renameSync, writeFileSync } from 'node:fs';
import { argv, stdin, stdout } from 'node:process';

const [, , folder] = argv;
const [begin, end] = ['\u001b[200~', '\u001b[201~'].map((mark) => Buffer.from(mark));
let bytes = Buffer.alloc(0);
let typed = Buffer.alloc(0);
let count = 0;

function store(name, content) {
  writeFileSync(`${folder}/${name}.part`, content);
  renameSync(`${folder}/${name}.part`, `${folder}/${name}`);
}

/** How many bytes at the end may be the beginning of a mark whose rest is still to come. */
function heldBack() {
  const lengths = [...begin.keys()].reverse();
  return lengths.find((length) => bytes.subarray(bytes.length - length).equals(begin.subarray(0, length))) ?? 0;
}

/** What is typed before a paste is stored before it. */
function take() {
  const from = bytes.indexOf(begin);
  const to = from < 0 ? -1 : bytes.indexOf(end, from);
  if (from >= 0 && to < 0) return;
  const plain = from < 0 ? bytes.length - heldBack() : from;
  typed = Buffer.concat([typed, bytes.subarray(0, plain)]);
  store('typed', typed);
  bytes = bytes.subarray(plain);
  if (from < 0) return;
  count += 1;
  store(`paste-${count}`, bytes.subarray(begin.length, to - from));
  bytes = bytes.subarray(to - from + end.length);
  if (bytes.length > 0) take();
}

stdin.setRawMode(true);
stdin.on('data', (chunk) => {
  bytes = Buffer.concat([bytes, chunk]);
  take();
});
stdout.write('\u001b[?2004hready\r\n');
