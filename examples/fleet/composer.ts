import { stdin, stdout } from 'node:process';

/** What a person, or muster, does at the composer. */
interface ComposerHandlers {
  /** A text was submitted. */
  onText(text: string): void;
  /** Escape was pressed. */
  onInterrupt(): void;
}

const pasteBegin = '\u001b[200~';
const pasteEnd = '\u001b[201~';
const spinner = ['✻', '✳', '✢', '·'];
const framesEvery = 250;

/**
 * A screen as coding-agent CLIs draw it: what was said above, a status row while something is in progress, and a
 * composer that takes bracketed pastes.
 */
export class Composer {
  readonly #handlers: ComposerHandlers;
  readonly #said: string[] = [];
  #pending = '';
  #draft = '';
  #status: string | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(handlers: ComposerHandlers) {
    this.#handlers = handlers;
  }

  start(): void {
    stdin.setRawMode(true);
    stdin.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    stdout.write('\u001b[?2004h');
    stdout.on('resize', () => this.#paint());
    this.#paint();
  }

  /** Adds a line to what was said. */
  say(text: string): void {
    this.#said.push(...text.split('\n'));
    this.#paint();
  }

  /** Shows what is in progress; undefined if nothing is. */
  work(status: string | undefined): void {
    this.#status = status;
    clearInterval(this.#timer);
    if (status !== undefined) {
      this.#timer = setInterval(() => {
        this.#frame += 1;
        this.#paint();
      }, framesEvery);
    }
    this.#paint();
  }

  #take(chunk: string): void {
    this.#pending += chunk;
    while (this.#pending !== '') {
      const [paste, rest] = pasteIn(this.#pending);
      if (paste === undefined) return;
      this.#pending = rest;
      if (paste.isPaste) this.#draft += paste.text;
      else for (const key of keysOf(paste.text)) this.#press(key);
    }
    this.#paint();
  }

  #press(key: string): void {
    if (key === '\u001b') this.#handlers.onInterrupt();
    else if (key === '\u0003') process.exit(0);
    else if (key === '\u007f') this.#draft = [...this.#draft].slice(0, -1).join('');
    else if (key === '\r') {
      const text = this.#draft.trim();
      this.#draft = '';
      if (text !== '') this.#handlers.onText(text);
    } else if (key >= ' ') this.#draft += key;
  }

  #paint(): void {
    const { columns = 80, rows = 24 } = stdout;
    const line = '─'.repeat(columns);
    const status =
      this.#status === undefined ? [] : [`${spinner[this.#frame % 4]} ${this.#status} (esc to interrupt)`, ''];
    const draft = this.#draft.split('\n').map((text, at) => `${at === 0 ? '❯ ' : '  '}${text}`);
    const below = ['', ...status, line, ...draft, line, '  a scripted agent, without a model'];
    const above = this.#said.slice(-Math.max(0, rows - below.length));
    const shown = [...above, ...below].map((text) => [...text].slice(0, columns).join(''));
    stdout.write(`\u001b[?25l\u001b[H\u001b[2J${shown.slice(-rows).join('\r\n')}`);
    const column = 3 + [...(draft.at(-1) ?? '')].length - 2;
    stdout.write(`\u001b[2A\u001b[${Math.min(column, columns)}G\u001b[?25h`);
  }
}

interface Piece {
  readonly isPaste: boolean;
  readonly text: string;
}

/** The first piece of what came, and the rest; undefined if a paste is not whole yet. */
function pasteIn(text: string): readonly [Piece | undefined, string] {
  const begin = text.indexOf(pasteBegin);
  if (begin !== 0)
    return [{ isPaste: false, text: begin < 0 ? text : text.slice(0, begin) }, begin < 0 ? '' : text.slice(begin)];
  const end = text.indexOf(pasteEnd);
  if (end < 0) return [undefined, text];
  return [{ isPaste: true, text: text.slice(pasteBegin.length, end) }, text.slice(end + pasteEnd.length)];
}

/** Keys as they were pressed; arrows and the like, which begin with an escape character, are left out. */
function keysOf(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are sent as escape sequences
  return [...text.replace(/\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])/g, '')];
}
