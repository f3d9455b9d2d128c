/** What a process holds, in bytes, after everything that can be let go was let go. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** The file in a state folder that says what was measured: `{before, after}`. */
export const measurementFile = 'memory.json';
