/** The answer to one command: tmux gives one block for each command, not for each line. */
export interface Block {
  readonly ok: boolean;
  /** Decoded lines, with the escapes of `show-buffer` still in them. */
  readonly lines: readonly string[];
}

/** The callbacks of the parser. */
export interface ControlEvents {
  /** The answer to a command that this client sent. */
  block(block: Block): void;
  /** Bytes that a pane's program wrote, still escaped; a character may be cut between two calls. */
  output(paneId: string, escaped: Buffer): void;
  /** Any other notification, such as `window-add @3`. */
  notice(name: string, rest: string): void;
}

interface OpenBlock {
  readonly id: string;
  readonly own: boolean;
  readonly lines: string[];
}

const newline = 0x0a;
const percent = 0x25;

/** Splits the bytes of a control client into blocks and notifications. */
export class ControlParser {
  readonly #events: ControlEvents;
  #rest: Buffer[] = [];
  #open: OpenBlock | undefined;

  constructor(events: ControlEvents) {
    this.#events = events;
  }

  feed(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const tail = chunk.subarray(start, end);
      this.#line(this.#rest.length === 0 ? tail : Buffer.concat([...this.#rest, tail]));
      this.#rest = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(start)));
  }

  #line(line: Buffer): void {
    if (this.#open !== undefined) this.#within(this.#open, line);
    else if (line[0] === percent) this.#notification(line);
  }

  #within(open: OpenBlock, line: Buffer): void {
    const text = line.toString('utf8');
    const ended = text === `%end ${open.id}`;
    if (!ended && text !== `%error ${open.id}`) {
      open.lines.push(text);
      return;
    }
    this.#open = undefined;
    if (open.own) this.#events.block({ ok: ended, lines: open.lines });
  }

  #notification(line: Buffer): void {
    const space = line.indexOf(0x20);
    const name = line.toString('latin1', 1, space < 0 ? line.length : space);
    if (name === 'output') this.#output(line, space + 1, ' ');
    else if (name === 'extended-output') this.#output(line, space + 1, ' : ');
    else if (name === 'begin') this.#begin(line.toString('latin1', space + 1));
    else this.#events.notice(name, space < 0 ? '' : line.toString('utf8', space + 1));
  }

  /** The last number of a block's header is 1 for the answer to a command of this client, 0 for hooks and attaching. */
  #begin(id: string): void {
    this.#open = { id, own: id.endsWith(' 1'), lines: [] };
  }

  #output(line: Buffer, from: number, separator: string): void {
    const paneEnd = line.indexOf(0x20, from);
    const data = line.indexOf(separator, from);
    if (paneEnd < 0 || data < 0) return;
    this.#events.output(line.toString('latin1', from, paneEnd), line.subarray(data + separator.length));
  }
}
