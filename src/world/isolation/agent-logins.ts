import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#contract/process-context.ts';
import { withMutex } from '#world/concurrency/mutex.ts';
import type { LoginPaths, PrivateFolder } from '#world/isolation/private-home.ts';
import {
  type Login,
  type LoginState,
  makeFoldersOf,
  readCopy,
  readOwn,
  recordedLogins,
  recordLogins,
  removeCopy,
  writeCopy,
  writeOwn,
} from './login-copy.ts';

/** How often files are compared without notice, in milliseconds: a folder that an agent recreates is no longer watched. */
const compareMs = 60_000;
/** How long changes are gathered at least, in milliseconds: an agent may write its copy all the time. */
const gatheredMs = 100;

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
      logins.map(async ({ own, copy, synced }): Promise<Login> => {
        const isThere = (await readCopy({ own, copy })) !== undefined;
        return { own, copy, ...(isThere && synced !== undefined && { synced }) };
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
    for (const { own } of kept.logins) await this.#sync(own);
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
    for (const { own } of logins) await this.#sync(own);
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
    for (const own of new Set(owns)) await this.#sync(own);
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
    await this.#sync(own);
  }

  /** Makes all copies of a file of the person's the same as what was renewed last. */
  #sync(own: string): Promise<void> {
    return withMutex(`login ${own}`, () => this.#syncNow(own)).catch((err: unknown) =>
      this.#log.warn({ err, file: own }, 'a login that an isolated agent renewed cannot be carried on'),
    );
  }

  async #syncNow(own: string): Promise<void> {
    const person = await readOwn(own);
    if (person === undefined) return;
    const copies = await Promise.all(
      this.#copiesOf(own).map(async (login) => ({ login, state: await readCopy(login) })),
    );
    const { content, digest } = renewedLast(person, copies);
    if (person.digest !== digest) writeOwn(own, content);
    for (const { login, state } of copies) {
      // A copy that is just being written is left to its writer, unless there is something newer.
      const isDue = state === undefined ? login.synced !== digest : state.digest !== digest;
      if (isDue && !(await this.#write(login, content))) continue;
      this.#record(login, digest);
    }
  }

  /** Whether a copy was written: an agent may have put a folder in its place, which is in nobody else's way. */
  async #write(login: Login, content: Uint8Array): Promise<boolean> {
    try {
      await writeCopy(login, content);
      return true;
    } catch (err) {
      this.#log.warn({ err, file: login.copy }, 'the copy of a login cannot be written');
      return false;
    }
  }

  #copiesOf(own: string): Login[] {
    return [...this.#agents.values()].flatMap(({ logins }) => logins.filter((login) => login.own === own));
  }

  #record(login: Login, synced: string): void {
    const kept = [...this.#agents.values()].find(({ logins }) => logins.includes(login));
    if (kept === undefined || login.synced === synced) return;
    kept.logins = kept.logins.map((one) => (one === login ? { ...login, synced } : one));
    recordLogins(kept.root, kept.logins);
  }
}

interface Copy {
  readonly login: Login;
  readonly state: LoginState | undefined;
}

/** Of the files that have changed since they were the same, the one that was written last; the person's if none has. */
function renewedLast(person: LoginState, copies: readonly Copy[]): LoginState {
  const changed = copies.flatMap(({ login: { synced }, state }) =>
    state !== undefined && synced !== undefined && state.digest !== synced ? [state] : [],
  );
  const isUnchanged = copies.some(({ login: { synced } }) => synced === person.digest);
  const candidates = isUnchanged && changed.length > 0 ? changed : [person, ...changed];
  return candidates.reduce((one, other) => (other.writtenAt > one.writtenAt ? other : one));
}
