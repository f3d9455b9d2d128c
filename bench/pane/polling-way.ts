// The usual way to know what panes show: a `tmux capture-pane` is spawned for each, twice a second. Started with a
// socket and the panes' ids; reports by each message it gets how many captures it has made.
import { execFile } from 'node:child_process';

const [socket = '', ...panes] = process.argv.slice(2);
const everyMs = 500;
let captures = 0;

for (const [at, pane] of panes.entries()) setTimeout(() => poll(pane), (at * everyMs) / panes.length);
process.on('message', () => process.send?.(captures));
process.on('disconnect', () => process.exit());

/** The next one is due half a second after this one was, or at once where it came too late. */
function poll(pane: string, due = performance.now()): void {
  execFile('tmux', ['-S', socket, 'capture-pane', '-p', '-e', '-J', '-t', pane], () => {
    captures += 1;
    const next = due + everyMs;
    setTimeout(() => poll(pane, Math.max(next, performance.now())), Math.max(0, next - performance.now()));
  });
}
