import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listProcesses } from '#world/process/process-tree.ts';
import { Inspector } from './inspector.ts';

/** The number of resources of each kind: open files, timers, children, objects of a class. */
export type Tally = Readonly<Record<string, number>>;

/** What a process of muster holds, seen from outside. */
export interface Holdings {
  /** Open files and sockets, watches on files, handles of the event loop and children, by kind. */
  readonly resources: Tally;
  /**
   * Living objects of classes, by the class's name; what JavaScript itself and its libraries of data bring is left out.
   */
  readonly objects: Tally;
  /** Ids of what is gone that are keys of a Map or items of a Set. */
  readonly kept: readonly string[];
}

/** Counts the objects of each class, and finds the keys and items that hold one of the words. */
const countObjects = `function (words, plain) {
  const objects = {}, kept = [], leftOut = new Set(plain);
  const isOne = (value) => typeof value === 'string' && value.length < 1000 && words.some((word) => value.includes(word));
  for (const one of this) {
    if (typeof one === 'function') continue;
    for (const { prototype } of [Map, Set]) {
      // What only looks like one has no keys to give.
      try { for (const key of prototype.keys.call(one)) if (isOne(key)) kept.push(key); } catch {}
    }
    const { name } = Object.getPrototypeOf(one)?.constructor ?? {};
    if (typeof name === 'string' && name !== '' && !leftOut.has(name)) objects[name] = (objects[name] ?? 0) + 1;
  }
  return { objects, kept };
}`;

/**
 * Classes whose objects come and go with whatever is computed, and say nothing of what is held; Node keeps a bounded
 * number of timings.
 */
const plain = [
  'Object',
  'Array',
  'Promise',
  'Buffer',
  'ArrayBuffer',
  'Uint8Array',
  'FastBuffer',
  'Error',
  'Date',
  'RegExp',
  'PerformanceResourceTiming',
];

/** A running process of muster that a test looks at from outside: nothing of the product serves that. */
export class WatchedProcess {
  readonly #pid: number;
  readonly #inspector: Inspector;

  private constructor(pid: number, inspector: Inspector) {
    this.#pid = pid;
    this.#inspector = inspector;
  }

  /** @param file the file in which the process says where its inspector listens */
  static async at(pid: number, file: string): Promise<WatchedProcess> {
    return new WatchedProcess(pid, await Inspector.connect(readFileSync(file, 'utf8')));
  }

  /** Its current resources; `gone` are words, such as ids, under which none should be kept. */
  async holdings(gone: readonly string[]): Promise<Holdings> {
    const found = await this.#inspector.overAllObjects<Omit<Holdings, 'resources'>>(countObjects, gone, plain);
    const handles = await this.#inspector.evaluate<string[]>('process.getActiveResourcesInfo()');
    const children = (await listProcesses()).filter(({ parent }) => parent === this.#pid);
    return { ...found, resources: tally([...handles, ...this.#descriptors(), ...children.map(() => 'child')]) };
  }

  close(): void {
    this.#inspector.close();
  }

  /** One word for each open file, without its number; of inotify one for each watch too. */
  #descriptors(): string[] {
    return readdirSync(`/proc/${this.#pid}/fd`).flatMap((fd) => {
      try {
        const target = readlinkSync(`/proc/${this.#pid}/fd/${fd}`).replace(/:\[\d+\]$/, '');
        const watches = readFileSync(`/proc/${this.#pid}/fdinfo/${fd}`, 'utf8').match(/^inotify wd/gm) ?? [];
        return [`open ${target}`, ...watches];
      } catch {
        return []; // Closed meanwhile.
      }
    });
  }
}

function tally(words: readonly string[]): Tally {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

/** The most of each kind of thing in several looks: a timer that is just being set again is missing in one of them. */
export function highest(tallies: readonly Tally[]): Tally {
  const kinds = new Set(tallies.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...kinds].map((kind) => [kind, Math.max(...tallies.map((one) => one[kind] ?? 0))]));
}

/** Of what there is more now than there was, such as `child: 1, now 3`. */
export function growth(before: Tally, now: Tally): string[] {
  const more = Object.entries(now).filter(([name, count]) => count > (before[name] ?? 0));
  return more.map(([name, count]) => `${name}: ${before[name] ?? 0}, now ${count}`);
}
