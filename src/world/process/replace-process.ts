/**
 * Replaces this process by another program. The process id, the folder, the terminal and the environment stay; open files and
 * children of this process do not matter to the new one. Returns only by an exception.
 * @throws Error when the program cannot be run; then this process goes on
 */
export function replaceProcess([program, ...args]: readonly [string, ...string[]]): never {
  // Node warns on standard error that the call is new.
  process.emitWarning = () => undefined;
  if (process.execve === undefined) throw new Error(`${process.platform} cannot replace a process`);
  return process.execve(program, [program, ...args], process.env);
}
