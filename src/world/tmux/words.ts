/**
 * Several commands as the arguments of one tmux call. tmux reads a `;` at the end of a word as the end of a command;
 * here such a `;` is escaped.
 */
export function commandWords(commands: readonly (readonly string[])[]): string[] {
  return commands
    .filter((words) => words.length > 0)
    .flatMap((words) => [...words.map((word) => word.replace(/;$/, '\\;')), ';'])
    .slice(0, -1);
}
