// Reads what is typed into the terminal of a scripted agent, with bracketed paste.
import { stdin, stdout } from 'node:process';

const [pasteBegin, pasteEnd] = ['\u001b[200~', '\u001b[201~'];

/**
 * Calls `onTyped` with the text that is typed, `onPasted` with each whole paste, and `onTaken` after either. A paste
 * whose end has not arrived yet is waited for, with what follows it.
 */
export function readTyped({ onTyped, onPasted, onTaken }) {
  let pending = '';
  const take = () => {
    const from = pending.indexOf(pasteBegin);
    const to = from < 0 ? -1 : pending.indexOf(pasteEnd, from);
    if (from >= 0 && to < 0) return;
    const typed = from < 0 ? pending : pending.slice(0, from);
    if (typed !== '') onTyped(typed);
    if (from >= 0) onPasted(pending.slice(from + pasteBegin.length, to));
    pending = from < 0 ? '' : pending.slice(to + pasteEnd.length);
    if (pending !== '') take();
    onTaken();
  };
  stdin.setRawMode(true);
  stdin.setEncoding('utf8').on('data', (chunk) => {
    pending += chunk;
    take();
  });
  stdout.write('\u001b[?2004h');
}
