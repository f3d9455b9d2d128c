/** An output of a command: a terminal, a pipe or a file. */
interface Sink {
  write(text: string): void;
  /** Whether it is a terminal. */
  readonly isTTY: boolean;
  /** The terminal's width in columns; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** The terminal's height in rows; undefined if it is not a terminal. */
  readonly rows: number | undefined;
  /** Calls the listener whenever the terminal is resized. Returns a function that stops that. */
  onResize(listener: () => void): () => void;
}

/** The environment of a command: the process's own, or a test's. */
export interface CliIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  readonly stdin: AsyncIterable<string | Uint8Array> & {
    readonly isTTY?: boolean;
    readonly setRawMode?: (isRaw: boolean) => unknown;
    /** Lets the process end during a read. Only a terminal has it. */
    readonly unref?: () => unknown;
  };
  /** For data. */
  readonly stdout: Sink;
  /** For messages. */
  readonly stderr: Sink;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends a command that follows something, which then exits with 0. If unset, it continues until the process ends. */
  readonly signal?: AbortSignal;
}

/**
 * The process's own streams, environment and clock. If the reader of its output leaves (`muster ls | head`), the
 * process ends quietly.
 */
export function processIo(): CliIo {
  let stderr: Sink | undefined;
  return {
    env: process.env,
    cwd: process.cwd(),
    get stdin() {
      return process.stdin;
    },
    stdout: sinkOf(endWithReader(process.stdout)),
    // Most commands write no message, and it takes a millisecond to open.
    get stderr() {
      stderr ??= sinkOf(endWithReader(process.stderr));
      return stderr;
    },
    now: Date.now,
  };
}

/** Ends the process quietly once the reader of an output has left. Returns the output. */
export function endWithReader(output: NodeJS.WriteStream): NodeJS.WriteStream {
  return output.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    write: (text) => void stream.write(text),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
    onResize: (listener) => {
      stream.on('resize', listener);
      return () => void stream.off('resize', listener);
    },
  };
}
