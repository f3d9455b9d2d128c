import unicode from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import { paneSize } from '#world/terminal/pane-size.ts';
import { type ProgramStatus, StatusScanner } from '#world/terminal/status-scanner.ts';
import { visibleRows } from './rows.ts';

/** What a screen shows at one moment. */
export interface ScreenContent {
  readonly rows: readonly string[];
  readonly title: string;
  readonly cursor: { readonly column: number; readonly row: number };
  readonly status: ProgramStatus;
}

/** How a program wants to receive input. */
export interface TypingModes {
  /** Whether it wants bracketed pastes (mode 2004). */
  readonly bracketedPaste: boolean;
  readonly applicationCursor: boolean;
}

/** An invisible screen that programs write to: xterm without a window and without scrollback. */
export class Screen {
  readonly #xterm = new headless.Terminal({
    cols: paneSize.columns,
    rows: paneSize.rows,
    scrollback: 0,
    allowProposedApi: true,
    logLevel: 'off',
  });
  readonly #scanner = new StatusScanner();
  #title = '';

  /** `reply` is called with answers to the program's queries, such as for the cursor's position. */
  constructor(reply: (text: string) => void) {
    this.#xterm.loadAddon(new unicode.Unicode11Addon());
    this.#xterm.unicode.activeVersion = '11';
    this.#xterm.onTitleChange((title) => {
      this.#title = title;
    });
    this.#xterm.onData(reply);
  }

  /** Processes output of the program; resolves once the screen shows it. */
  write(output: string): Promise<void> {
    if (this.#scanner.isWithin || output.includes('\u001b')) this.#scanner.feed(Buffer.from(output));
    return new Promise((resolve) => this.#xterm.write(output, resolve));
  }

  /** Resolves once the screen shows everything that was written so far. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#xterm.write('', resolve));
  }

  get modes(): TypingModes {
    const { bracketedPasteMode, applicationCursorKeysMode } = this.#xterm.modes;
    return { bracketedPaste: bracketedPasteMode, applicationCursor: applicationCursorKeysMode };
  }

  get shown(): ScreenContent {
    const { active } = this.#xterm.buffer;
    return {
      rows: visibleRows(active, paneSize.rows),
      title: this.#title,
      cursor: { column: active.cursorX, row: active.cursorY },
      status: this.#scanner.status,
    };
  }
}
