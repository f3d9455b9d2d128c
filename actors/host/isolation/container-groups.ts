import { isDirectory } from '#world/file/directory.ts';
import { type CgroupFolders, cgroupOf } from '#world/isolation/cgroup-place.ts';
import { processesInContainers } from '#world/process/container-init.ts';

/** The control groups that engines made for the containers of agents. To find one, all processes are read, so it is kept. */
export class ContainerGroups {
  readonly #known = new Map<string, CgroupFolders>();

  /** The groups of these agents' containers that run now, by the agent's id. */
  async of(agentIds: readonly string[]): Promise<ReadonlyMap<string, CgroupFolders>> {
    for (const [agentId, { memory }] of this.#known)
      if (!agentIds.includes(agentId) || !(await isDirectory(memory))) this.#known.delete(agentId);
    if (agentIds.every((agentId) => this.#known.has(agentId))) return this.#known;
    const processes = await processesInContainers();
    for (const agentId of agentIds) {
      const pid = processes.get(agentId);
      const group = pid === undefined ? undefined : cgroupOf(pid);
      if (group !== undefined) this.#known.set(agentId, group.folders);
    }
    return this.#known;
  }
}
