const named = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['$', '\\$'],
  ['~', '\\~'],
  ['\n', '\\n'],
  ['\t', '\\t'],
]);

/**
 * A text as one argument of a control-mode line: nothing in it is read as syntax, variable, home folder or separator.
 * NUL cannot be carried and is left out.
 */
export function quote(text: string): string {
  let out = '"';
  for (const part of text) {
    const code = part.charCodeAt(0);
    if (code === 0) continue;
    out += named.get(part) ?? (code < 0x20 || code === 0x7f ? `\\${code.toString(8).padStart(3, '0')}` : part);
  }
  return `${out}"`;
}

/** Commands as one line that tmux runs without anything in between, and stops at the first that fails. */
export function sequence(...commands: readonly string[]): string {
  return commands.join(' ; ');
}

/** One of two sequences, chosen by a format at the moment it runs; `pane` is what the format is read from. */
export function choice(format: string, pane: string | undefined, yes: string, no: string): string {
  const target = pane === undefined ? '' : ` -t ${pane}`;
  return `if-shell -F${target} ${quote(format)} { ${yes} } { ${no} }`;
}

/** Whether a text is a tmux pane id, the only kind of target that free text never reaches. */
export function isPaneId(text: string): boolean {
  return /^%\d{1,9}$/.test(text);
}
