/** The memory of a process after garbage collection, in bytes. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** The file in a state folder with the result, `{ before, after }`. */
export const measurementFile = 'memory.json';
