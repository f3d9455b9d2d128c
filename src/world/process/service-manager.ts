import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How long the manager may take for one command, in milliseconds. */
const timeoutMs = 30_000;

/** The result of a manager's command: its output, or why it failed. */
export type ManagerResult = { readonly printed: string } | { readonly fault: string };

const run = promisify(execFile);

/** Runs a program of the system's service manager, such as `systemctl`. */
export async function askServiceManager(program: string, args: readonly string[]): Promise<ManagerResult> {
  try {
    const { stdout } = await run(program, [...args], { timeout: timeoutMs });
    return { printed: stdout.trim() };
  } catch (error) {
    return { fault: faultText(program, error) };
  }
}

function faultText(program: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return `${program} is not installed`;
  const said = 'stderr' in error ? String(error.stderr).trim() : '';
  return said === '' ? `${program} failed: ${error.message}` : (said.split('\n')[0] ?? said);
}
