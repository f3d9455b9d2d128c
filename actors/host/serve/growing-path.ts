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
  /** Called once folders have come. */
  readonly onGrown: () => void;
}

/**
 * The PATH of a host that goes on running while a person installs CLIs: once a file has changed that sets the PATH of
 * their shells, the folders that a new terminal would have are added behind those of the start.
 */
export class GrowingPath {
  readonly #options: GrowingPathOptions;
  #mark: string;
  #reading: Promise<void> | undefined;
  /** The person's environment (`baseEnvironment`), with the PATH as it is whenever it is read. */
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

  /** Where CLIs are looked for (`programPath`), as it is now. */
  get programs(): string {
    const { own, home } = this.#options;
    return programPathOf(own['PATH'] ?? '', home);
  }

  /** As `programs`. Reads the login shell's PATH again, meanwhile, if its files have changed since. */
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
