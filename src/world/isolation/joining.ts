import { Failure } from '#contract/failure.ts';
import { runGroup } from '#world/process/group/process-group.ts';

/** How long a program may take to join a control group, in milliseconds. */
const withinMs = 10_000;

/** Joins the groups of the files before `--`, then becomes the program: nothing of it ever runs outside. */
const script = `while [ "$1" != -- ]; do
  echo $$ > "$1" || { echo "the control group of $1 cannot be joined" >&2; exit 126; }
  shift
done
shift
exec "$@"`;

/** The command line that runs a program in control groups, given the files by which they are joined. */
export function joining(files: readonly string[], argv: readonly string[]): string[] {
  return ['/bin/sh', '-c', script, 'limited', ...files, '--', ...argv];
}

/**
 * Tries to run a program in control groups.
 * @throws ISOLATION_UNAVAILABLE when that is not possible
 */
export async function tryJoining(files: readonly string[]): Promise<void> {
  const [file = '', ...args] = joining(files, ['/bin/true']);
  let complaint = '';
  const onStderr = (chunk: Buffer) => {
    complaint += chunk;
  };
  const { exitCode } = await runGroup({
    file,
    args,
    cwd: '/',
    env: {},
    timeoutMs: withinMs,
    onStdout: () => {},
    onStderr,
  });
  if (exitCode === 0) return;
  throw new Failure(
    'ISOLATION_UNAVAILABLE',
    `cannot be limited: no program can be started in its control group: ${complaint.trim().slice(0, 300) || 'it gives no reason'}. ` +
      'See `muster doctor`',
  );
}
