import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#contract/process-context.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { LoginPaths, PrivateFolder } from '#world/isolation/private-home.ts';
import {
  type Login,
  makeFoldersOf,
  readCopy,
  readOwn,
  recordedLogins,
  recordLogins,
  removeCopy,
  replaceCopy,
  replaceOwn,
} from './login-copy.ts';
import type { LoginContent } from './login-entries.ts';
import type { LoginRead } from './login-file.ts';
import { renewedLast, syncedTo } from './renewed-login.ts';

/** How often files are compared without notice, in milliseconds: a folder that an agent recreates is no longer watched. */
const compareMs = 60_000;
/** How long changes are gathered at least, in milliseconds: an agent may write its copy all the time. */
const gatheredMs = 100;
/** How often files are read at most until none is just being written. */
const maxReads = 20;

interface Kept {
  readonly root: string;
  logins: readonly Login[];
  readonly watchers: readonly FSWatcher[];
}

/**
 * The logins of isolated agents. Only one holder of a login may renew it, and a CLI saves what it renewed by replacing
 * the file, which is impossible for a file that is mounted. So each agent has a copy: what any holder renewed is
 * carried to the person's file and to all other copies at once. A file that the person removed is not brought back.
 */
export class AgentLogins {
  readonly #log: Pick<Log, 'warn'>;
  readonly #agents = new Map<string, Kept>();
  /** The person's files about which something is noticed and not yet looked at. */
  readonly #noticed = new Set<string>();
  #comparing: NodeJS.Timeout | undefined;

  constructor({ log }: { readonly log: Pick<Log, 'warn'> }) {
    this.#log = log;
  }

  /** Gives an agent, which does not run, copies of the person's files, and keeps them the same from now on. */
  async place(agentId: string, folder: PrivateFolder, paths: readonly LoginPaths[]): Promise<void> {
    const root = realpathSync(folder.root);
    const known = recordedLogins(root);
    const logins = paths.map(({ own, copy }): Login => {
      const login = { own, copy: root + copy.slice(folder.root.length) };
      return known.find((one) => one.own === login.own && one.copy === login.copy) ?? login;
    });
    for (const login of logins) makeFoldersOf(root, login);
    // What its CLI removed, or a power failure left empty, is placed again.
    const usable = await Promise.all(
      logins.map(async (login): Promise<Login> => {
        const { own, copy } = login;
        return typeof (await readCopy(login)) === 'string' ? { own, copy } : login;
      }),
    );
    if (usable.length + known.length > 0) recordLogins(root, usable);
    await this.#begin(agentId, root, usable);
  }

  /** Keeps the copies of an agent that an earlier process has placed. */
  async keep(agentId: string, folder: PrivateFolder): Promise<void> {
    const logins = recordedLogins(folder.root);
    if (logins.length > 0) await this.#begin(agentId, realpathSync(folder.root), logins);
  }

  /** Passes on what an agent renewed last, and removes its copies. */
  async forget(agentId: string): Promise<void> {
    const kept = this.#agents.get(agentId);
    if (kept === undefined) return;
    for (const { own } of kept.logins) await this.#settle(own);
    this.#close(agentId);
    for (const login of kept.logins)
      await removeCopy(login).catch((err: unknown) =>
        this.#log.warn({ err, file: login.copy }, 'the copy of a login cannot be removed'),
      );
    recordLogins(kept.root, []);
  }

  /** Stops watching. The next process goes on. */
  stop(): void {
    for (const agentId of [...this.#agents.keys()]) this.#close(agentId);
  }

  async #begin(agentId: string, root: string, logins: readonly Login[]): Promise<void> {
    this.#close(agentId);
    const watchers = logins.flatMap(({ own, copy }) => [own, copy].flatMap((file) => this.#watch(file, own)));
    this.#agents.set(agentId, { root, logins, watchers });
    this.#comparing ??= setInterval(() => void this.#compare(), compareMs).unref();
    for (const { own } of logins) await this.#settle(own);
  }

  #close(agentId: string): void {
    for (const watcher of this.#agents.get(agentId)?.watchers ?? []) watcher.close();
    this.#agents.delete(agentId);
    if (this.#agents.size > 0) return;
    clearInterval(this.#comparing);
    this.#comparing = undefined;
  }

  async #compare(): Promise<void> {
    const owns = [...this.#agents.values()].flatMap(({ logins }) => logins.map(({ own }) => own));
    for (const own of new Set(owns)) await this.#settle(own);
  }

  #watch(file: string, own: string): FSWatcher[] {
    try {
      // The person's file may be a link: what it leads to is renewed.
      const place = file === own && existsSync(own) ? realpathSync(own) : file;
      const watcher = watch(dirname(place), { persistent: false }, (_, name) => {
        if (name === basename(place)) void this.#notice(own);
      });
      // An agent may remove its folder.
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch (err) {
      this.#log.warn({ err, file }, 'a login of isolated agents cannot be watched: what they renew is not carried on');
      return [];
    }
  }

  async #notice(own: string): Promise<void> {
    if (this.#noticed.has(own)) return;
    this.#noticed.add(own);
    await pause(gatheredMs, undefined, { ref: false });
    this.#noticed.delete(own);
    if (!(await this.#sync(own))) void this.#notice(own);
  }

  /** Makes all copies the same, and waits for what is just being written. */
  async #settle(own: string): Promise<void> {
    for (let left = maxReads; left > 0 && !(await this.#sync(own)); left -= 1) await pause(gatheredMs);
  }

  /**
   * Makes all copies of a file of the person's the same as what was renewed last. Returns whether that is done: what is
   * just being written is left to its writer.
   */
  #sync(own: string): Promise<boolean> {
    return withMutex(`login ${own}`, () => this.#syncNow(own)).catch((err: unknown) => {
      this.#log.warn({ err, file: own }, 'a login that an isolated agent renewed cannot be carried on');
      return true;
    });
  }

  async #syncNow(own: string): Promise<boolean> {
    const person = await readOwn(own);
    if (typeof person === 'string') return person !== 'unfinished';
    const copies = await Promise.all(
      this.#copiesOf(own).map(async (login) => ({ login, read: await readCopy(login) })),
    );
    const known = copies.flatMap(({ login, read }) => (typeof read === 'string' ? [] : [{ login, state: read }]));
    const newest = renewedLast(person, known);
    if (person.digest !== newest.digest && !replaceOwn(own, person, newest)) return false;
    const done = copies.map(({ login, read }) => this.#carry(login, read, newest));
    return (await Promise.all(done)).every(Boolean);
  }

  /** Gives an agent what was renewed last. Returns whether that is done. */
  async #carry(login: Login, read: LoginRead, newest: LoginContent): Promise<boolean> {
    // Nobody may report its end.
    if (read === 'unfinished') return false;
    const isDue = (typeof read === 'string' ? login.synced : read.digest) !== newest.digest;
    try {
      if (isDue && !(await replaceCopy(login, read, newest))) return false;
    } catch (err) {
      // The agent may have put a folder in its place, which is in nobody else's way.
      this.#log.warn({ err, file: login.copy }, 'the copy of a login cannot be written');
      return true;
    }
    this.#record(login, newest);
    return true;
  }

  #copiesOf(own: string): Login[] {
    return [...this.#agents.values()].flatMap(({ logins }) => logins.filter((login) => login.own === own));
  }

  #record(login: Login, newest: LoginContent): void {
    const kept = [...this.#agents.values()].find(({ logins }) => logins.includes(login));
    if (kept === undefined || login.synced === newest.digest) return;
    const recorded: Login = { ...login, ...syncedTo(login, newest) };
    kept.logins = kept.logins.map((one) => (one === login ? recorded : one));
    recordLogins(kept.root, kept.logins);
  }
}
