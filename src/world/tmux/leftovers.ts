import { endProcesses, environmentOf, findProcess } from '#world/process/process-tree.ts';
import type { ControlClient } from './control-client.ts';
import type { Block } from './control-parser.ts';

/** The names of a transaction's buffers begin with this, so that those a broken one left behind can be found. */
export const bufferPrefix = 'muster-';
/** The variable by which a control client names the process it belongs to, as `pid:start`. */
export const ownerVariable = 'MUSTER_CONTROL_OWNER';

async function isOwnerAlive(pid: number): Promise<boolean> {
  const entry = environmentOf(pid).find((candidate) => candidate.startsWith(`${ownerVariable}=`));
  if (entry === undefined) return (await findProcess(pid))?.parent !== 1;
  const [owner, started] = entry.slice(ownerVariable.length + 1).split(':');
  return (await findProcess(Number(owner)))?.started === started;
}

/** The lines that list control clients and buffers, which earlier processes may have left. */
export const leftoverLines = [
  `list-clients -F '#{client_control_mode}|#{client_pid}'`,
  `list-buffers -F '#{buffer_name}'`,
] as const;

/**
 * Removes what earlier, dead processes left, given the answers to `leftoverLines`: their control clients would block
 * the panes whose output they no longer read, and the buffers of broken transactions may contain a prompt.
 */
export async function clearLeftovers(client: ControlClient, [clients, buffers]: readonly Block[]): Promise<void> {
  for (const line of clients?.lines ?? []) {
    const [control, text] = line.split('|');
    const pid = Number(text);
    if (control !== '1' || pid === client.pid || !Number.isInteger(pid)) continue;
    if (!(await isOwnerAlive(pid))) await endProcesses((processes) => processes.filter((one) => one.pid === pid));
  }
  const left = (buffers?.lines ?? []).filter((name) => /^muster-[\w-]+$/.test(name));
  if (left.length > 0) await client.transact(left.map((name) => `delete-buffer -b ${name}`));
}
