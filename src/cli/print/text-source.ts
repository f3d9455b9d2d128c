import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CliIo } from '#cli/client/io.ts';
import { Failure } from '#contract/failure.ts';

/**
 * Reads the text of a flag: `-` means standard input, which can be read once, `@path` a file, `@@…` a literal `@…`.
 */
export interface TextSource {
  read(flag: string, text: string): Promise<string>;
}

/** The text source of a command. */
export function textSource(io: CliIo): TextSource {
  let takenBy: string | undefined;
  const readStdin = async (flag: string): Promise<string> => {
    if (takenBy !== undefined) {
      throw new Failure(
        'INVALID_USAGE',
        `${flag} and ${takenBy} both read standard input: give one of them a file, as @path`,
      );
    }
    takenBy = flag;
    if (io.stdin.isTTY)
      io.stderr.write(`reading ${flag} from this terminal: end it with Ctrl-D on a line of its own\n`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
    return textOf(flag, Buffer.concat(chunks));
  };
  return {
    read: async (flag, text) => {
      if (text === '-') return readStdin(flag);
      if (text.startsWith('@@')) return text.slice(1);
      return text.startsWith('@') ? readTextFile(flag, text.slice(1), io.cwd) : text;
    },
  };
}

async function readTextFile(flag: string, path: string, cwd: string): Promise<string> {
  const bytes = await readFile(resolve(cwd, path)).catch((error: unknown) => {
    throw new Failure(
      'INVALID_USAGE',
      `${flag} names the file ${path}, which cannot be read: correct the path, or write @@ for a text that begins with @`,
      { cause: error },
    );
  });
  return textOf(`${flag} (${path})`, bytes);
}

/** The text of bytes, without a last line break. @throws INVALID_USAGE when they are not text, rather than to change them */
function textOf(what: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Failure('INVALID_USAGE', `${what} is not text in UTF-8: give a text`, { cause: error });
  }
}
