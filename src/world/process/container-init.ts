import { readlinkSync } from 'node:fs';
import { argumentsOf, endProcesses, environmentOf, listProcesses } from './process-tree.ts';

/** The argument of an engine's client that sets the mark of its container. */
const option = /^--env=(MUSTER_CONTAINER=.+)$/;

/**
 * The first process of the container that a process is the engine's client of; the process itself if it is none. The
 * client has the pane's terminal, but the container has another one, which its programs are in the foreground of.
 */
export async function containerInit(pid: number): Promise<number> {
  const mark = argumentsOf(pid).flatMap((argument) => option.exec(argument)?.[1] ?? [])[0];
  if (mark === undefined) return pid;
  const inside = (await listProcesses()).filter((one) => environmentOf(one.pid).includes(mark));
  const first = inside.sort((one, other) => Number(one.started) - Number(other.started))[0];
  return first?.pid ?? pid;
}

/**
 * A process in a container of an agent; undefined if there is none. Its mark is that which the engine's client gave it: any
 * isolated program may name another agent in its own environment, but cannot know the rest of the mark, nor be in this
 * host's own namespace of processes, where the client is.
 */
export async function processInContainer(agentId: string): Promise<number | undefined> {
  const processes = await listProcesses();
  const marks = processes
    .filter(({ pid }) => isOutside(pid))
    .flatMap(({ pid }) => argumentsOf(pid).flatMap((argument) => option.exec(argument)?.[1] ?? []))
    .filter((mark) => mark.startsWith(`MUSTER_CONTAINER=${agentId}.`));
  if (marks.length === 0) return undefined;
  return processes.find(({ pid }) => !isOutside(pid) && marks.some((mark) => environmentOf(pid).includes(mark)))?.pid;
}

/** Whether a process is in the same namespace of processes as this one. */
function isOutside(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === readlinkSync('/proc/self/ns/pid');
  } catch {
    return false; // It has ended, or is another user's.
  }
}

/**
 * Ends what is left of an agent's containers. One outlives its engine's client if that was killed. Every process inside ends
 * with the first one, which keeps the mark.
 */
export async function endContainers(agentId: string): Promise<void> {
  const isInside = isInContainerOf(agentId);
  await endProcesses((processes) => processes.filter(isInside), { hangup: 0, terminate: 0, kill: 2000 });
}

function isInContainerOf(agentId: string): (process: { readonly pid: number }) => boolean {
  const prefix = `MUSTER_CONTAINER=${agentId}.`;
  return ({ pid }) => environmentOf(pid).some((entry) => entry.startsWith(prefix));
}
