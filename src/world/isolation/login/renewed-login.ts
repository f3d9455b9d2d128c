import { composed, digestsOf, type LoginContent, nameOf, partsOf } from './login-entries.ts';

/** What a file held when it was last made the same as others. */
export interface SyncedLogin {
  /** The SHA-256 digest of all of it. */
  readonly synced?: string | undefined;
  /** The digests of its parts. */
  readonly entries?: Readonly<Record<string, string>> | undefined;
  /** The digests of earlier versions of parts that name a time. */
  readonly replaced?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A copy of a login, and what it held when all were last the same. */
export interface ReadCopy {
  readonly login: SyncedLogin;
  readonly state: LoginContent;
}

/** How many earlier versions of a part are known. */
const maxReplaced = 8;

/** What is recorded of a file that has been made the same as others. */
export function syncedTo({ entries = {}, replaced = {} }: SyncedLogin, newest: LoginContent): SyncedLogin {
  const digests = digestsOf(newest);
  const names = [...newest.entries].flatMap(([name, { time }]) => (time === undefined ? [] : [name]));
  const earlier = names.flatMap((name): [string, string[]][] => {
    const [before, known = []] = [entries[name], replaced[name]];
    const isNew = before !== undefined && before !== digests[name];
    const all = isNew ? [before, ...known] : [...known];
    return all.length === 0 ? [] : [[name, all.slice(0, maxReplaced)]];
  });
  return { synced: newest.digest, entries: digests, replaced: Object.fromEntries(earlier) };
}

/**
 * What the person and all agents should hold: of each part the version of whoever changed it last. If several changed it since all
 * were the same, that with the latest time counts. Nothing is removed by an agent.
 */
export function renewedLast(person: LoginContent, all: readonly ReadCopy[]): LoginContent {
  // What was never the same as others says nothing about what has changed.
  const copies = all.filter(({ login }) => login.synced !== undefined);
  const files = [person, ...copies.map(({ state }) => state)];
  const parts = partsOf(files).map((part) => ({ part, source: winnerOf(nameOf(part), person, copies) }));
  const whole = files.find((file) =>
    parts.every(({ part, source }) => digestIn(file, nameOf(part)) === (source && digestIn(source, nameOf(part)))),
  );
  return (
    whole ?? composed(parts.flatMap(({ part, source }) => (source === undefined ? [] : [[part, source] as const])))
  );
}

/** The file with the version of a part that counts; undefined if the part is removed. */
function winnerOf(name: string, person: LoginContent, copies: readonly ReadCopy[]): LoginContent | undefined {
  const own = person.entries.has(name) ? person : undefined;
  const changed = copies.filter((copy) => isChanged(copy, name) && !isReplaced(copy, name, person));
  const [first, ...others] = changed.map(({ state }) => state);
  if (first === undefined) return own;
  // Whoever changed what the person’s file holds now has seen it.
  const hasSeen = changed.some(({ login }) => knownOf(login, name, person) === digestIn(person, name));
  if (!hasSeen && own === undefined) return undefined;
  return [...(hasSeen || own === undefined ? [] : [own]), first, ...others].reduce((one, other) =>
    isLater(other, one, name) ? other : one,
  );
}

function isChanged({ login, state }: ReadCopy, name: string): boolean {
  return state.entries.has(name) && knownOf(login, name, state) !== digestIn(state, name);
}

/** Whether an agent wrote again what it had read before somebody renewed it. */
function isReplaced({ login: { replaced }, state }: ReadCopy, name: string, person: LoginContent): boolean {
  const digest = digestIn(state, name);
  return digest !== undefined && replaced?.[name]?.includes(digest) === true && hasEarlierTime(state, person, name);
}

/** The digest of a part when a copy was last the same as others; of a file that was that itself, its own. */
function knownOf({ synced, entries }: SyncedLogin, name: string, file: LoginContent): string | undefined {
  return synced === file.digest ? digestIn(file, name) : entries?.[name];
}

const digestIn = ({ entries }: LoginContent, name: string): string | undefined => entries.get(name)?.digest;

function isLater(one: LoginContent, other: LoginContent, name: string): boolean {
  if (hasEarlierTime(other, one, name)) return true;
  return !hasEarlierTime(one, other, name) && one.writtenAt > other.writtenAt;
}

function hasEarlierTime(one: LoginContent, other: LoginContent, name: string): boolean {
  const [time, otherTime] = [one, other].map(({ entries }) => entries.get(name)?.time);
  return time !== undefined && otherTime !== undefined && time < otherTime;
}
