/**
 * Commands as tmux takes several of them in one call of its program. It reads a `;` at the end of a word as the end of
 * a command, whoever wrote it there: in these it is none.
 */
export function commandWords(commands: readonly (readonly string[])[]): string[] {
  return commands
    .filter((words) => words.length > 0)
    .flatMap((words) => [...words.map((word) => word.replace(/;$/, '\\;')), ';'])
    .slice(0, -1);
}
