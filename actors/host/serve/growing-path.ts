import { delimiter, join } from 'node:path';
import type { Log } from '#contract/process-context.ts';
import { baseEnvironment, programPathOf } from '#world/process/environment.ts';
import { loginFolders, shellFilesMark } from '#world/process/login-path.ts';

interface GrowingPathOptions {
  /** The environment of this process, whose PATH grows. */
  readonly own: NodeJS.ProcessEnv;
  /** The host's state folder. */
  readonly home: string;
  readonly log: Log;
  /** Called after folders were added. */
  readonly onGrown: () => void;
}

/**
 * The PATH of a running host, which grows when a person installs CLIs: once a startup file of their shell has changed,
 * the folders that a new terminal would have are appended.
 */
export class GrowingPath {
  readonly #options: GrowingPathOptions;
  #mark: string;
  #reading: Promise<void> | undefined;
  /** The person's environment (`baseEnvironment`), always with the current PATH. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(options: GrowingPathOptions) {
    this.#options = options;
    this.#mark = this.#markNow();
    const { own, home } = options;
    const base = (): Record<string, string> => baseEnvironment(own, join(home, 'bin'));
    this.environment = {
      ...base(),
      get PATH() {
        return base()['PATH'] ?? '';
      },
    };
  }

  /** The current PATH for CLIs (`programPath`). */
  get programs(): string {
    const { own, home } = this.#options;
    return programPathOf(own['PATH'] ?? '', home);
  }

  /** As `programs`. If the shell's startup files have changed, reads the login shell's PATH again in the background. */
  look(): string {
    const mark = this.#markNow();
    if (mark !== this.#mark && this.#reading === undefined) {
      this.#mark = mark;
      const { log } = this.#options;
      this.#reading = this.#read()
        .catch((err: unknown) => log.warn({ err }, 'the PATH of the login shell could not be read'))
        .finally(() => {
          this.#reading = undefined;
        });
    }
    return this.programs;
  }

  async #read(): Promise<void> {
    const { own, log, onGrown } = this.#options;
    const known = (own['PATH'] ?? '').split(delimiter);
    const added = [...new Set(await loginFolders(own))].filter((folder) => !known.includes(folder));
    if (added.length === 0) return;
    own['PATH'] = [...known, ...added].join(delimiter);
    log.info({ added }, 'the PATH of the login shell has more folders now');
    onGrown();
  }

  #markNow(): string {
    return shellFilesMark(this.#options.own['HOME'] ?? '');
  }
}
