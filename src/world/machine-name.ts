import { hostname } from 'node:os';

/** What this machine calls itself. */
export function machineName(): string {
  return hostname();
}

/** The system and the kind of processor, such as `linux x64`. */
export function systemName(): string {
  return `${process.platform} ${process.arch}`;
}
