import { hostname } from 'node:os';

/** The name of this machine. */
export function computerName(): string {
  return hostname();
}

/** The system and the kind of processor, such as `linux x64`. */
export function systemName(): string {
  return `${process.platform} ${process.arch}`;
}
