/** One choice of a selection on a screen. */
export interface Choice {
  /** The key that takes it. */
  readonly key: string;
  /** What is typed instead of the key where a line is asked for. */
  readonly line?: string;
  readonly label: string;
  /** Whether the CLI's own pointer is at it. */
  readonly isCurrent: boolean;
}

/** How many rows of a screen are shown at most: a selection is at its end. */
const maxRows = 26;
const choiceForm = /^[\s│┃|]*([❯>›▶➜●]?)\s*([0-9])[.):]\s+(\S.*?)[\s│┃|]*$/u;
const yesOrNo = /[[(]\s*(?:y\s*\/\s*n|(yes)\s*\/\s*(no))\s*(?:\/[^\])]*\]?\s*)?[\])]/i;

/** What answers a question that a line is asked for, by a key of one of its choices. */
export function lineFor(screen: string, key: string): string {
  return choicesOfLine(screen).find((choice) => choice.key === key)?.line ?? key;
}

/** The end of a screen, without the blank rows around it. */
export function tailOf(screen: string): string {
  const rows = screen.split('\n').map((row) => row.trimEnd());
  while (rows.at(-1) === '') rows.pop();
  const tail = rows.slice(-maxRows);
  while (tail[0] === '') tail.shift();
  return tail.join('\n');
}

/**
 * The choices of a question that is answered by a line: those listed right above it, as bash's `select` does, else yes
 * and no where it asks for these itself. What is further above, the command that asks included, is not part of it.
 */
export function choicesOfLine(screen: string): readonly Choice[] {
  const rows = screen.split('\n');
  const first = rows.findLastIndex((row, at) => at < rows.length - 1 && !choiceForm.test(row)) + 1;
  return choicesOn(rows.slice(first).join('\n'));
}

/** The choices that a screen names by a digit, the last list of them; else yes and no if it asks for these. */
export function choicesOn(screen: string): readonly Choice[] {
  const found = new Map<string, Choice>();
  for (const row of screen.split('\n')) {
    const [, pointer, key, label] = choiceForm.exec(row) ?? [];
    if (key === undefined || label === undefined) continue;
    if (key === '1') found.clear();
    found.set(key, { key, label, isCurrent: pointer !== '' });
  }
  if (found.size > 0) return [...found.values()];
  const asked = yesOrNo.exec(screen);
  if (asked === null) return [];
  // ssh for example takes no y where it asks for yes.
  const [, yes = 'y', no = 'n'] = asked;
  return [
    { key: 'y', line: yes, label: 'Yes', isCurrent: false },
    { key: 'n', line: no, label: 'No', isCurrent: false },
  ];
}

const named: Readonly<Record<string, string>> = {
  Enter: 'Enter',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ' ': 'Space',
  Backspace: 'BSpace',
};

/** The key of a pane for a key of the browser; undefined for one that answers nothing, such as Tab, which moves on. */
export function keyOf(key: string): string | undefined {
  return /^[a-z0-9]$/.test(key) ? key : Object.hasOwn(named, key) ? named[key] : undefined;
}
