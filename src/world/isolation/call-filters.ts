import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '#world/file/private-file.ts';
import { programAnswer } from '#world/process/program-answer.ts';
import type { Engine } from './container.ts';
import { containerCalls } from './container-calls.ts';
import { hasFilter, systemCallFilter } from './system-calls.ts';

/** How long an engine may take to answer, in milliseconds. */
const withinMs = 10_000;

/** The file with the filter of system calls for sandboxes; undefined if there is none for this kind of processor. */
export function sandboxFilter(stateFolder: string): string | undefined {
  if (!hasFilter(process.arch)) return undefined;
  return kept(join(stateFolder, 'run', 'calls.bpf'), systemCallFilter());
}

/**
 * The file with the profile of system calls for containers. Undefined for Docker, whose own profile refuses as much, and if
 * podman names no profile that can be read: then the engine's own counts.
 */
export async function containerProfile(
  { kind, program }: Engine,
  environment: Readonly<Record<string, string>>,
  stateFolder: string,
): Promise<string | undefined> {
  if (kind !== 'podman') return undefined;
  const args = ['info', '--format', '{{.Host.Security.SECCOMPProfilePath}}'];
  const file = await programAnswer({ program, args, environment }, ({ stdout }) => stdout.trim(), withinMs);
  const profile = file?.startsWith('/') ? containerCalls(file) : undefined;
  return profile && kept(join(stateFolder, 'run', 'calls.json'), Buffer.from(profile));
}

/** The path of a file with this content. */
function kept(path: string, content: Buffer): string {
  if (isAt(path, content)) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, content, { isDurable: false });
  return path;
}

function isAt(path: string, content: Buffer): boolean {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}
