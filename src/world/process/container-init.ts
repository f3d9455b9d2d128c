import { readlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
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

/** How many processes are read before others get their turn. */
const atOnce = 50;

/**
 * A process in each agent's container, by the agent's id. Its mark is that which the engine's client gave it: any
 * isolated program may name another agent in its own environment, but cannot know the rest of the mark, nor be in this
 * host's own namespace of processes, where the client is. All processes are read for that.
 */
export async function processesInContainers(): Promise<Map<string, number>> {
  const [marks, inside] = [new Map<string, string>(), new Map<string, number>()];
  const own = readlinkSync('/proc/self/ns/pid');
  for (const [at, { pid }] of (await listProcesses()).entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate();
    const namespace = namespaceOf(pid);
    if (namespace === undefined) continue;
    if (namespace === own) {
      for (const mark of argumentsOf(pid).flatMap((argument) => option.exec(argument)?.[1] ?? []))
        marks.set(mark, mark.slice(mark.indexOf('=') + 1, mark.lastIndexOf('.')));
      continue;
    }
    const mark = environmentOf(pid).find((entry) => entry.startsWith('MUSTER_CONTAINER='));
    if (mark !== undefined && !inside.has(mark)) inside.set(mark, pid);
  }
  const known = [...inside].flatMap(([mark, pid]) => {
    const agentId = marks.get(mark);
    return agentId === undefined ? [] : [[agentId, pid] as const];
  });
  return new Map(known);
}

/** The namespace of processes that a process is in; undefined if it has ended, or is another user's. */
function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
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
