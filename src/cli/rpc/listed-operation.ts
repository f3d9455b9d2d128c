import { readFileSync } from 'node:fs';
import type { RoleName } from '#contract/access/caller.ts';
import type { Field } from './field.ts';

/** A JSON Schema. */
export type Shape = Readonly<Record<string, unknown>>;

/** A row of the table of operations, as the command line needs it. */
export interface ListedOperation<Path extends string = string> {
  /** The HTTP path without its leading slash. */
  readonly path: Path;
  /** The command's name under `muster rpc`. */
  readonly command: string;
  /** The MCP tool's name. */
  readonly tool: string;
  readonly service: string;
  readonly summary: string;
  readonly guidance: string;
  readonly access: 'read' | 'write';
  readonly idempotent: boolean;
  readonly destructive?: true;
  readonly roles: readonly RoleName[];
  /** Set on a watch. */
  readonly streams?: true;
  readonly fields: readonly Field[];
  /** The JSON Schema of requests that are certainly valid. */
  readonly shape: Shape;
}

let listed: readonly ListedOperation[] | undefined;

/**
 * Every operation of the service, in the order of the table. They come from a file generated from the table, because
 * loading the table with its schemas takes longer than a call should.
 */
export function listedOperations(): readonly ListedOperation[] {
  listed ??= JSON.parse(readFileSync(new URL('./operations.json', import.meta.url), 'utf8')) as ListedOperation[];
  return listed;
}

/** The operation of a path. */
export function listedOperation<Path extends string>(path: Path): ListedOperation<Path> {
  const found = listedOperations().find((one): one is ListedOperation<Path> => one.path === path);
  if (found === undefined) throw new Error(`operations.json has no ${path}: run npm run docs`);
  return found;
}
