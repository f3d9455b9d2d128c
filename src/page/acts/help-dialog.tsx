import { Dialog } from '#page/dialog/dialog.tsx';
import { acts } from './act.ts';

const moves: readonly (readonly [keys: string, what: string])[] = [
  ['j  k  or  ↓  ↑', 'the next and the previous of a list'],
  ['PgDn  PgUp', 'a page of the list on, a page back'],
  ['Home  End', 'the first and the last of the list'],
  ['Enter', 'into what the list has beside it, or to where its row leads'],
  ['w', 'the next agent that waits for you'],
  ["'  then a letter", 'the agent with that mark'],
  ['m  then a letter', 'mark the agent with it; m then space takes the mark away'],
  ['/', 'search'],
  ['Esc', 'back: out of the search, out of an agent'],
  ['n', 'launch an agent'],
  ['p', 'write a prompt'],
  ['a', 'answer what the agent waits for'],
  ['o', 'open its terminal'],
  ['v', 'review its work'],
  ['j  k  u', 'in a review: the next thread, the one before, the next with a new reply'],
  ['n  p', 'in a review: the next file, the one before'],
  ['f  v', 'in a review: fold the file, mark it as viewed'],
  ['c', 'in a review: to the lines; ↑ ↓ go, Shift takes more of them, Enter comments'],
  ['r', 'in a review: release it'],
  ['s', 'in a review: old and new side by side'],
  ['←  →', 'in a terminal: one move back, one move on'],
  ['l', 'in a terminal: back to what it shows now'],
  ['t', 'in a terminal: take the agent over and type; Shift Esc gives the keys back'],
];

/** The keys of schedules, mail, runs, hosts, forges and the doctor. */
const listKeys: readonly (readonly [keys: string, what: string])[] = [
  ['Esc', 'back to the list'],
  ['n', 'a new schedule, a new mail, a new forge'],
  ['f', 'fire the schedule now; of runs, those that failed'],
  ['p', 'pause or resume the schedule'],
  ['e  d', 'edit, delete the schedule; d drains the host'],
  ['r', 'answer the mail; of the doctor, look again'],
  ['a', 'the failed run was looked at'],
];

/** Every key there is. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const known = new Map<string, string>();
  for (const { key, label } of acts)
    known.set(key, known.has(key) ? `${known.get(key)}, or ${label.toLowerCase()}` : label);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="body">
        <KeyList keys={[...moves, ...known, ['?', 'these keys']]} />
        <h3>Schedules, mail, runs, hosts and forges</h3>
        <KeyList keys={listKeys} />
      </div>
    </Dialog>
  );
}

function KeyList({ keys }: { readonly keys: typeof moves }) {
  return (
    <dl className="key-list">
      {keys.map(([names, what]) => (
        <div key={names}>
          <dt>
            <kbd>{names}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
