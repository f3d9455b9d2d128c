import type { CliIo } from './io.ts';

const [enter, leave] = ['\u001b[?1049h\u001b[2J', '\u001b[0m\u001b[?25h\u001b[?1049l'];

/**
 * Does work while the person's terminal shows a screen of its own and passes on each key. Afterwards it shows again
 * what it showed before.
 * @param onResize called when the terminal was resized
 */
export async function onOwnScreen<Result>(
  { stdin, stdout }: Pick<CliIo, 'stdin' | 'stdout'>,
  onResize: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  stdin.setRawMode?.(true);
  stdout.write(enter);
  const ignoreResize = stdout.onResize(onResize);
  try {
    return await work();
  } finally {
    ignoreResize();
    stdin.setRawMode?.(false);
    stdin.unref?.();
    stdout.write(leave);
  }
}

/** A person's input, as it arrives, until the signal aborts or there is no more. */
export async function* typedUntil(stdin: CliIo['stdin'], signal: AbortSignal): AsyncGenerator<string, void> {
  const typed = stdin[Symbol.asyncIterator]();
  const left = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const decoder = new TextDecoder();
  for (;;) {
    const next = await Promise.race([typed.next(), left]);
    if (next === undefined || next.done === true) break;
    yield typeof next.value === 'string' ? next.value : decoder.decode(next.value, { stream: true });
  }
  void typed.return?.();
}
