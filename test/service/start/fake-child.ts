// A child program for the supervisor's tests: `fake-child.ts <name> <events file> <behaviour>`.
import { appendFileSync } from 'node:fs';

const [name = '', events = '', behaviour = ''] = process.argv.slice(2);
const tell = (event: string): void => appendFileSync(events, `${event} ${name} ${process.pid}\n`);

tell('start');
process.on('SIGTERM', () => {
  tell('term');
  if (behaviour !== 'stubborn') process.exit(0);
});
process.on('disconnect', () => {
  tell('orphan');
  process.exit(0);
});
if (behaviour === 'crash') process.exit(3);
if (behaviour !== 'silent') process.send?.({ type: 'ready', url: `http://${name}` });
if (behaviour === 'short') process.exit(4);
