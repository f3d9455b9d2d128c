import type { IncomingHttpHeaders } from 'node:http';

/** Reads headers by their lower-case names, as `Headers` does. */
export interface HeaderReader {
  /** The value; null without the header. */
  get(name: string): string | null;
}

/** Reads node's headers as they are; a `Headers` of them would check and copy each. */
export function headerReader(headers: IncomingHttpHeaders): HeaderReader {
  return {
    get(name) {
      const value = headers[name] ?? null;
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}
