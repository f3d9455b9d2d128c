import type { Key } from '#contract/key.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { moment } from '#test/support/moment.ts';
import { EmbeddedFixture } from '#test/world/embedded-fixture.ts';
import { program } from './command-line.ts';

/** What says that an answer was not taken, since its question had only just come. */
const notTaken = /nothing was typed|was not typed/;

/** A person's own terminal in which a command of muster runs, on a pseudo-terminal. */
export class PersonTerminal {
  readonly #fixture = new EmbeddedFixture();
  /** All that its screen has shown at any look. */
  readonly seen: string[] = [];

  /** Opens it and runs the command; returns what looks, types and waits there. */
  async open(words: readonly string[], env: Readonly<Record<string, string>>) {
    const terminal = await (await this.#fixture.terminals()).of('person');
    const window = this.#fixture.window('person', [process.execPath, program, ...words], {
      env: { ...bareEnvironment(), ...env },
    });
    const { paneId } = await terminal.open(window);
    const screen = async (): Promise<string> => {
      const shown = ((await terminal.capture(paneId))?.rows ?? []).join('\n');
      this.seen.push(shown);
      return shown;
    };
    /** As `moment`; the error has the last screen. */
    const moments = (what: string, probe: () => Promise<boolean>) =>
      moment(what, probe).catch((error: Error) => {
        throw new Error(`${error.message}\nThe terminal shows:\n${this.seen.at(-1)?.trimEnd()}`);
      });
    const shows = (text: string) =>
      moments(`the terminal to show ${text}`, async () => (await screen()).includes(text));
    /** Types an answer until the next text is shown, and repeats it only if it was not accepted. */
    const answer = async (text: string, keys: readonly Key[], next: string): Promise<void> => {
      const give = async (): Promise<void> => {
        if (text !== '') await terminal.type(paneId, text);
        if (keys.length > 0) await terminal.press(paneId, keys);
      };
      await give();
      await moments(`the terminal to go on to ${next}`, async () => {
        const shown = await screen();
        if (shown.includes(next)) return true;
        if (notTaken.test(shown)) await give();
        return false;
      });
    };
    const type = (text: string) => terminal.type(paneId, text);
    const press = (...keys: readonly Key[]) => terminal.press(paneId, keys);
    return { shows, answer, type, press, hasEnded: async () => (await terminal.panes())[0]?.dead === true };
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }
}
