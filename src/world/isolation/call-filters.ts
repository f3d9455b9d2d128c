import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { readKernelText } from '#world/process/memory-limit.ts';
import { programAnswer } from '#world/process/program-answer.ts';
import type { Engine } from './container.ts';
import { containerCalls } from './container-calls.ts';
import { hasFilter, systemCallFilter } from './system-calls.ts';

/** How long an engine may take to answer, in milliseconds. */
const withinMs = 10_000;
/** After how long an engine without an answer is asked again, in milliseconds. */
const againMs = 1000;

/** The file with the filter of system calls for sandboxes; undefined if there is none for this kind of processor. */
export function sandboxFilter(stateFolder: string): string | undefined {
  if (!hasFilter(process.arch)) return undefined;
  return kept(join(stateFolder, 'run', 'calls.bpf'), systemCallFilter());
}

/**
 * How many filters of system calls are in force for this process. Its children have these too. A kernel before 5.9 does not
 * count them: then 0.
 */
export function filtersHere(): number {
  return Number(/^Seccomp_filters:\s*(\d+)$/m.exec(readKernelText('/proc/self/status') ?? '')?.[1] ?? 0);
}

/**
 * The file with the profile of system calls for containers; undefined for Docker, whose own profile counts.
 * @throws ISOLATION_UNAVAILABLE when podman names no profile that can be read and refuses what it does not name
 */
export async function containerProfile(
  { kind, program }: Engine,
  environment: Readonly<Record<string, string>>,
  stateFolder: string,
): Promise<string | undefined> {
  if (kind !== 'podman') return undefined;
  const args = ['info', '--format', '{{.Host.Security.SECCOMPProfilePath}}'];
  // A profile that cannot be used is no answer: those are asked for again soon.
  const usable = (file: string): string | undefined =>
    file.startsWith('/') && containerCalls(file) ? file : undefined;
  const file = await programAnswer(
    { program, args, environment },
    ({ stdout }) => usable(stdout.trim()),
    withinMs,
    againMs,
  );
  const profile = file && containerCalls(file);
  if (!profile) throw new Failure('ISOLATION_UNAVAILABLE', withoutProfile(program));
  return kept(join(stateFolder, 'run', 'calls.json'), Buffer.from(profile));
}

/** Why there is no profile for containers, and what to do about it. */
function withoutProfile(program: string): string {
  return `cannot run in a container: \`${program} info\` names no profile of system calls (seccomp) that can be read and refuses what it does not name. Set seccomp_profile in containers.conf to the seccomp.json of containers-common, see whether \`${program} info\` names it, then retry twice: the first time only asks again`;
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
