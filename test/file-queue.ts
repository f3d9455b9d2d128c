/** The room of a file: what lies in one folder of the tests loads much the same. */
const roomOf = (file: string): string => /^test\/[^/]+\//.exec(file)?.[0] ?? '';

/** A file that waits, with how long it may take, in milliseconds. */
interface Waiting {
  readonly file: string;
  readonly ms: number;
}

/**
 * The files that are still to be run. Who asks for one stays in its room while there are any: all that they load is
 * there already, and nothing else is in memory, by which each start of a program costs more.
 */
export class FileQueue {
  readonly #rooms = new Map<string, Waiting[]>();
  /** The room that each who asked is in. */
  readonly #places = new Map<number, string>();

  constructor(files: readonly string[], expectedMs: (file: string) => number) {
    const waiting = files.map((file) => ({ file, ms: expectedMs(file) }));
    for (const one of waiting.toSorted((a, b) => b.ms - a.ms)) {
      const room = roomOf(one.file);
      this.#rooms.set(room, [...(this.#rooms.get(room) ?? []), one]);
    }
  }

  get isEmpty(): boolean {
    return this.#rooms.size === 0;
  }

  /** Whether the next file of this one lies in another room than its last. */
  leaves(who: number): boolean {
    const room = this.#places.get(who);
    return room === undefined || !this.#rooms.has(room);
  }

  /** The longest file of its room; if none is left, of the room with most to do for each who is there. */
  take(who: number): string | undefined {
    if (this.leaves(who)) this.#move(who);
    const room = this.#places.get(who) ?? '';
    const files = this.#rooms.get(room);
    const taken = files?.shift();
    if (files?.length === 0) this.#rooms.delete(room);
    return taken?.file;
  }

  clear(): void {
    this.#rooms.clear();
  }

  #move(who: number): void {
    this.#places.delete(who);
    const shares = [...this.#rooms].map(([room, files]) => {
      const there = [...this.#places.values()].filter((place) => place === room).length;
      return { room, share: files.reduce((sum, { ms }) => sum + ms, 0) / (there + 1) };
    });
    const [most] = shares.toSorted((a, b) => b.share - a.share);
    if (most !== undefined) this.#places.set(who, most.room);
  }
}
