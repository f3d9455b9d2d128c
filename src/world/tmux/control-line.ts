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
 * NUL cannot be passed and is left out.
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

/** Commands as one line that tmux runs without interruption, up to the first that fails. */
export function sequence(...commands: readonly string[]): string {
  return commands.join(' ; ');
}

/** One of two sequences, chosen when it runs by a format, which is evaluated for `pane`. */
export function choice(format: string, pane: string | undefined, yes: string, no: string): string {
  const target = pane === undefined ? '' : ` -t ${pane}`;
  return `if-shell -F${target} ${quote(format)} { ${yes} } { ${no} }`;
}

/** Whether a text is a tmux pane id: no other kind of target is used, so that free text never is one. */
export function isPaneId(text: string): boolean {
  return /^%\d{1,9}$/.test(text);
}
