/** A choice of a question on a screen. */
export interface Choice {
  /** The key that selects it. */
  readonly key: string;
  /** The text to type instead of the key, if the question asks for a line. */
  readonly line?: string;
  readonly label: string;
  /** Whether the CLI's own pointer is on it. */
  readonly isCurrent: boolean;
}

/** The maximum number of shown rows. A question is at the end of its screen. */
const maxRows = 26;
const choiceForm = /^[\s│┃|]*([❯>›▶➜●]?)\s*([0-9])[.):]\s+(\S.*?)[\s│┃|]*$/u;
const yesOrNo = /[[(]\s*(?:y\s*\/\s*n|(yes)\s*\/\s*(no))\s*(?:\/[^\])]*\]?\s*)?[\])]/i;

/** The line that answers a question, for the key of one of its choices. */
export function lineFor(screen: string, key: string): string {
  return choicesOfLine(screen).find((choice) => choice.key === key)?.line ?? key;
}

/** The end of a screen, without surrounding blank rows. */
export function tailOf(screen: string): string {
  const rows = screen.split('\n').map((row) => row.trimEnd());
  while (rows.at(-1) === '') rows.pop();
  const tail = rows.slice(-maxRows);
  while (tail[0] === '') tail.shift();
  return tail.join('\n');
}

/**
 * The choices of a question that is answered by a line: those listed directly above it, as by bash's `select`, else yes
 * and no if the question names them. Rows further above, such as the command that asks, do not count.
 */
export function choicesOfLine(screen: string): readonly Choice[] {
  const rows = screen.split('\n');
  const first = rows.findLastIndex((row, at) => at < rows.length - 1 && !choiceForm.test(row)) + 1;
  return choicesOn(rows.slice(first).join('\n'));
}

/** The numbered choices on a screen, from its last list; else yes and no if the question names them. */
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
  // ssh, for example, does not accept y when it asks for yes.
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

/**
 * The pane's key for a key of the browser; undefined for keys that answer nothing, such as Tab, which moves the focus.
 */
export function keyOf(key: string): string | undefined {
  return /^[a-z0-9]$/.test(key) ? key : Object.hasOwn(named, key) ? named[key] : undefined;
}
