import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { Cgroup, groupsIn, removeFolder } from './cgroup.ts';
import { type CgroupPlace, eachFolder, findCgroupPlace, passesOn, unified } from './cgroup-place.ts';

const Place = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  folders: z.object({ memory: z.string(), pids: z.string(), cpu: z.string().optional() }),
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
    if (known !== undefined) return known.folders.cpu === undefined ? this.#withProcessors(known) : known;
    const found = findCgroupPlace();
    if (typeof found === 'string') return found;
    const { memory, pids, cpu } = found.folders;
    const at = (folder: string): string => join(folder, this.#name);
    const place = { ...found, folders: { memory: at(memory), pids: at(pids), ...(cpu && { cpu: at(cpu) }) } };
    // First the record: a group that no record names would never be removed.
    this.#record(place);
    for (const folder of eachFolder(place.folders)) mkdirSync(folder, { recursive: true });
    if (place.version === 1) return place;
    if (passesOn(place.folders.memory)) return this.#record(unified(place.folders.memory));
    this.close();
    return `control group ${place.folders.memory} passes no memory and pids on to those in it: see the kernel’s log`;
  }

  /** A place that was made before processors were limited, or could be, with their controller if there is one now. */
  #withProcessors(known: CgroupPlace): CgroupPlace {
    const { memory } = known.folders;
    if (known.version === 2) {
      const place = passesOn(dirname(memory)) && passesOn(memory) ? unified(memory) : known;
      return place.folders.cpu === undefined ? known : this.#record(place);
    }
    const found = findCgroupPlace();
    if (typeof found === 'string' || found.version === 2 || found.folders.cpu === undefined) return known;
    const cpu = join(found.folders.cpu, this.#name);
    const place = this.#record({ ...known, folders: { ...known.folders, cpu } });
    mkdirSync(cpu, { recursive: true });
    return place;
  }

  #record(place: CgroupPlace): CgroupPlace {
    writeFileSync(`${this.#file}.tmp`, JSON.stringify(place), { mode: 0o600 });
    renameSync(`${this.#file}.tmp`, this.#file);
    return place;
  }

  /** The place as an earlier process left it; undefined if there is none. */
  recorded(): CgroupPlace | undefined {
    if (!existsSync(this.#file)) return undefined;
    const { success, data } = Place.safeParse(JSON.parse(readFileSync(this.#file, 'utf8')));
    return success && eachFolder(data.folders).every((folder) => existsSync(folder)) ? data : undefined;
  }

  /** The group of an agent; undefined if there is no place for groups. */
  group(agentId: string): Cgroup | undefined {
    const place = this.recorded();
    return place && new Cgroup(place, agentId);
  }

  /** The names of all groups that are there. */
  names(): string[] {
    const place = this.recorded();
    const groups = place === undefined ? [] : eachFolder(place.folders).flatMap(groupsIn);
    return [...new Set(groups.map((folder) => basename(folder)))];
  }

  /** Removes the place if no group is left in it. */
  close(): void {
    if (this.names().length > 0) return;
    const place = this.recorded();
    const gone = place === undefined ? [] : eachFolder(place.folders).map(removeFolder);
    if (gone.every(Boolean)) rmSync(this.#file, { force: true });
  }
}
