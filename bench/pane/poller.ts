// Polls panes: spawns `tmux capture-pane` for each, twice a second. Its arguments are a socket and the panes' ids. It
// answers each message with the number of captures so far.
import { execFile } from 'node:child_process';

const [socket = '', ...panes] = process.argv.slice(2);
const everyMs = 500;
let captures = 0;

for (const [at, pane] of panes.entries()) setTimeout(() => poll(pane), (at * everyMs) / panes.length);
process.on('message', () => process.send?.(captures));
process.on('disconnect', () => process.exit());

/** The next capture is due half a second after this one was, or immediately if that has passed. */
function poll(pane: string, due = performance.now()): void {
  execFile('tmux', ['-S', socket, 'capture-pane', '-p', '-e', '-J', '-t', pane], () => {
    captures += 1;
    const next = due + everyMs;
    setTimeout(() => poll(pane, Math.max(next, performance.now())), Math.max(0, next - performance.now()));
  });
}
