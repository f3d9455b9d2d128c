import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { Cgroup, groupsIn, removeFolder } from './cgroup.ts';
import { type CgroupPlace, findCgroupPlace, passesOn } from './cgroup-place.ts';

const Place = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  folders: z.object({ memory: z.string(), pids: z.string() }),
});

/**
 * The control groups of a host's agents, in a group of their own. A file records where it is, because agents outlive the
 * process, and the next one may be started in another group.
 */
export class Cgroups {
  readonly #file: string;
  readonly #name: string;

  /**
   * @param file where the place is recorded
   * @param name the name of the group around them
   */
  constructor(file: string, name: string) {
    this.#file = file;
    this.#name = name;
  }

  /** The place of the groups, made if needed; or why there can be none, and what to do about it. */
  open(): CgroupPlace | string {
    const known = this.recorded();
    if (known !== undefined) return known;
    const found = findCgroupPlace();
    if (typeof found === 'string') return found;
    const { memory, pids } = found.folders;
    const place = { ...found, folders: { memory: join(memory, this.#name), pids: join(pids, this.#name) } };
    // First the record: a group that no record names would never be removed.
    writeFileSync(`${this.#file}.tmp`, JSON.stringify(place), { mode: 0o600 });
    renameSync(`${this.#file}.tmp`, this.#file);
    for (const folder of Object.values(place.folders)) mkdirSync(folder, { recursive: true });
    if (place.version === 1 || passesOn(place.folders.memory)) return place;
    this.close();
    return `control group ${place.folders.memory} passes no memory and pids on to those in it: see the kernel’s log`;
  }

  /** The place as an earlier process left it; undefined if there is none. */
  recorded(): CgroupPlace | undefined {
    if (!existsSync(this.#file)) return undefined;
    const { success, data } = Place.safeParse(JSON.parse(readFileSync(this.#file, 'utf8')));
    return success && Object.values(data.folders).every((folder) => existsSync(folder)) ? data : undefined;
  }

  /** The group of an agent; undefined if there is no place for groups. */
  group(agentId: string): Cgroup | undefined {
    const place = this.recorded();
    return place && new Cgroup(place, agentId);
  }

  /** The names of all groups that are there. */
  names(): string[] {
    const folders = Object.values(this.recorded()?.folders ?? {});
    return [...new Set(folders.flatMap(groupsIn).map((folder) => basename(folder)))];
  }

  /** Removes the place if no group is left in it. */
  close(): void {
    if (this.names().length > 0) return;
    const gone = Object.values(this.recorded()?.folders ?? {}).map(removeFolder);
    if (gone.every(Boolean)) rmSync(this.#file, { force: true });
  }
}
