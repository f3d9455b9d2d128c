import { endProcesses, environmentOf, findProcess } from '../process-tree.ts';
import type { ControlClient } from './control-client.ts';

/** Buffers made by a transaction are named so that what a broken one left behind is known. */
export const bufferPrefix = 'muster-';
/** The variable by which a control client names the process it belongs to, as `pid:start`. */
export const ownerVariable = 'MUSTER_CONTROL_OWNER';

async function ownerLives(pid: number): Promise<boolean> {
  const entry = environmentOf(pid).find((candidate) => candidate.startsWith(`${ownerVariable}=`));
  if (entry === undefined) return (await findProcess(pid))?.parent !== 1;
  const [owner, started] = entry.slice(ownerVariable.length + 1).split(':');
  return (await findProcess(Number(owner)))?.started === started;
}

/** Ends the control clients of earlier processes that are dead: they would stop the panes whose output they should read. */
export async function endLeftClients(client: ControlClient): Promise<void> {
  const [block] = await client.transact([`list-clients -F '#{client_control_mode}|#{client_pid}'`]);
  for (const line of block?.lines ?? []) {
    const [control, text] = line.split('|');
    const pid = Number(text);
    if (control !== '1' || pid === client.pid || !Number.isInteger(pid)) continue;
    if (!(await ownerLives(pid))) await endProcesses((processes) => processes.filter((one) => one.pid === pid));
  }
}

/** Deletes the buffers that a broken transaction left: they may hold a prompt. */
export async function deleteLeftBuffers(client: ControlClient): Promise<void> {
  const [block] = await client.transact([`list-buffers -F '#{buffer_name}'`]);
  const left = (block?.lines ?? []).filter((name) => /^muster-[\w-]+$/.test(name));
  if (left.length > 0) await client.transact(left.map((name) => `delete-buffer -b ${name}`));
}
