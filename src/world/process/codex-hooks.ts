import { rm, stat } from 'node:fs/promises';
import { z } from 'zod';
import { runGroup } from '#world/process/group/process-group.ts';
import { makeScratch } from './scratch.ts';

/** How long Codex may take to list its hooks, in milliseconds: it takes about half a second. */
const timeoutMs = 20_000;

/** The line that shows that the program has ended. */
const end = 'muster: ended';

/** A hook, as Codex lists it. */
const Hook = z.object({ key: z.string(), source: z.string(), currentHash: z.string() });
const Answer = z.object({
  id: z.literal('hooks'),
  /** Missing if this version of Codex does not know the request. */
  result: z.object({ data: z.array(z.object({ hooks: z.array(Hook) })) }).optional(),
});

/** A hook that was passed to Codex by flags: its key, and the hash under which Codex trusts it. */
export interface FlaggedHook {
  readonly key: string;
  readonly hash: string;
}

const asked = new Map<string, Promise<readonly FlaggedHook[] | undefined>>();

/**
 * The hooks that a Codex program finds in its flags, as it lists them itself: each version may compute hashes in its
 * own way, and asks the person about every hook whose hash it does not know. Empty if it does not list them. Each
 * version of the program is asked once, in an empty home, so that none of the person's files is read or written.
 */
export async function hooksInFlags(
  program: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly FlaggedHook[]> {
  const { mtimeMs, size } = await stat(program);
  const key = JSON.stringify([program, mtimeMs, size, flags]);
  const asking = asked.get(key) ?? ask(program, flags, environment);
  asked.set(key, asking);
  const hooks = await asking;
  if (hooks === undefined) asked.delete(key);
  return hooks ?? [];
}

/** The program's answer; undefined if it ends or its time is up first. */
async function ask(
  program: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly FlaggedHook[] | undefined> {
  const home = await makeScratch();
  const answered = new AbortController();
  let said = '';
  let hooks: readonly FlaggedHook[] | undefined;
  try {
    await runGroup({
      file: '/bin/sh',
      // At the end of its input, it would end before it has answered the last request.
      args: ['-c', `{ cat; sleep 60; } | { "$@"; echo; echo '${end}'; }`, 'sh', program, 'app-server', ...flags],
      cwd: home,
      env: { ...environment, HOME: home, CODEX_HOME: home },
      input: questions(home),
      timeoutMs,
      signal: answered.signal,
      onStdout: (chunk) => {
        said += chunk.toString();
        const lines = said.split('\n');
        hooks = lines.map(hooksIn).find((one) => one !== undefined);
        if (hooks || lines.includes(end)) answered.abort();
      },
      onStderr: () => {},
    });
    return hooks;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function questions(cwd: string): string {
  const clientInfo = { name: 'muster', version: '1' };
  const messages = [
    { id: 'hello', method: 'initialize', params: { clientInfo } },
    { method: 'initialized' },
    { id: 'hooks', method: 'hooks/list', params: { cwds: [cwd] } },
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

/** The hooks in a line that is the answer; undefined for any other line. */
function hooksIn(line: string): readonly FlaggedHook[] | undefined {
  try {
    const { result } = Answer.parse(JSON.parse(line));
    return (result?.data ?? [])
      .flatMap(({ hooks }) => hooks)
      .filter(({ source }) => source === 'sessionFlags')
      .map(({ key, currentHash }) => ({ key, hash: currentHash }));
  } catch {
    return undefined;
  }
}
