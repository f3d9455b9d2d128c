import { createHash } from 'node:crypto';

/** A part of a login that is renewed by itself, such as that of one provider. */
interface LoginEntry {
  readonly digest: string;
  /** The latest time that it names, in milliseconds since 1970: when it was renewed, or when it expires. */
  readonly time: number | undefined;
  readonly value: unknown;
}

/** What a file of a login holds. */
export interface LoginContent {
  readonly content: Uint8Array;
  readonly digest: string;
  /** By the names of the entries. What belongs to none is an entry too. */
  readonly entries: ReadonlyMap<string, LoginEntry>;
  /** When its writer wrote it, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** What a file held when it was last made the same as others. */
export interface SyncedLogin {
  /** The SHA-256 digest of all of it. */
  readonly synced?: string | undefined;
  /** The digests of its entries. */
  readonly entries?: Readonly<Record<string, string>> | undefined;
}

/** A copy of a login, and what it held when all were last the same. */
export interface ReadCopy {
  readonly login: SyncedLogin;
  readonly state: LoginContent;
}

/** The entry of all that belongs to no other. */
const rest = '[]';
/** The names by which CLIs write when a login was renewed or expires. */
const timeName = /^(?:expires(?:_?at)?|expiry(?:_?date)?|last_?refresh)$/i;
/** Numbers below this are seconds. */
const secondsBelow = 1e11;
/** A time further in the future than this is not one of a login, in milliseconds. */
const maxAheadMs = 400 * 24 * 60 * 60 * 1000;
const maxDepth = 3;

/** The content of a file of a login. */
export function loginContent(content: Uint8Array, writtenAt: number): LoginContent {
  // Byte by byte: some logins are not text.
  const digest = digestOf(content);
  const parsed = parsedText(content);
  const entries = new Map<string, LoginEntry>();
  const isOne = !isRecord(parsed) || timeIn(parsed) !== undefined;
  if (!isOne) entries.set(rest, entryOf(without(parsed, [], entries)));
  else entries.set(rest, { digest, time: isRecord(parsed) ? timeIn(parsed) : undefined, value: undefined });
  // Nobody wrote anything later than now.
  return { content, digest, entries, writtenAt: Math.min(writtenAt, Date.now()) };
}

/** The digests of entries, by name. */
export function digestsOf({ entries }: LoginContent): Record<string, string> {
  return Object.fromEntries([...entries].map(([name, { digest }]) => [name, digest]));
}

/**
 * What the person and all agents should hold: of each entry the version that was renewed last. An entry that an agent
 * removed, or that is older by its own time than the person's, was not renewed.
 */
export function renewedLast(person: LoginContent, all: readonly ReadCopy[]): LoginContent {
  // What was never the same as others says nothing about what has changed.
  const copies = all.filter(({ login }) => login.synced !== undefined);
  const names = new Set([person, ...copies.map(({ state }) => state)].flatMap(({ entries }) => [...entries.keys()]));
  const winners = [...names].flatMap((name) => {
    const winner = winnerOf(name, person, copies);
    return winner === undefined ? [] : [[name, winner] as const];
  });
  const sources = new Set(winners.map(([, source]) => source));
  const whole = [person, ...sources].find(
    (one) => one.entries.size === winners.length && winners.every(([name, source]) => isSame(one, source, name)),
  );
  if (whole !== undefined) return whole;
  const writtenAt = Math.max(...[...sources].map((source) => source.writtenAt));
  return loginContent(Buffer.from(`${JSON.stringify(composed(winners), undefined, 2)}\n`), writtenAt);
}

/** The file with the version of an entry that was renewed last; undefined if the entry is removed. */
function winnerOf(name: string, person: LoginContent, copies: readonly ReadCopy[]): LoginContent | undefined {
  const changed = copies.filter((copy) => copy.state.entries.has(name) && isChanged(copy, name));
  const isUnchanged = copies.some(({ login }) => !isChanged({ login, state: person }, name));
  const later = (one: LoginContent, other: LoginContent) => (isLater(other, one, name) ? other : one);
  if (copies.length > 0 && !isUnchanged)
    return person.entries.has(name) ? changed.map(({ state }) => state).reduce(later, person) : undefined;
  const [first, ...others] = changed.map(({ state }) => state);
  const newest = first && others.reduce(later, first);
  const isOlder = newest !== undefined && hasEarlierTime(newest, person, name);
  return newest === undefined || isOlder ? personIfHas(person, name) : newest;
}

const personIfHas = (person: LoginContent, name: string) => (person.entries.has(name) ? person : undefined);

function isChanged({ login: { synced, entries }, state }: ReadCopy, name: string): boolean {
  return synced !== state.digest && entries?.[name] !== state.entries.get(name)?.digest;
}

const isSame = (one: LoginContent, other: LoginContent, name: string): boolean =>
  one.entries.get(name)?.digest === other.entries.get(name)?.digest;

function isLater(one: LoginContent, other: LoginContent, name: string): boolean {
  if (hasEarlierTime(other, one, name)) return true;
  return !hasEarlierTime(one, other, name) && one.writtenAt > other.writtenAt;
}

function hasEarlierTime(one: LoginContent, other: LoginContent, name: string): boolean {
  const [time, otherTime] = [one, other].map(({ entries }) => entries.get(name)?.time);
  return time !== undefined && otherTime !== undefined && time < otherTime;
}

/** An object without the entries in it, which it collects. */
function without(value: object, path: readonly string[], found: Map<string, LoginEntry>): object {
  const fields = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const at = [...path, key];
    if (!isRecord(inner) || key === '__proto__' || at.length > maxDepth) return [[key, inner]];
    if (timeIn(inner) === undefined) return [[key, without(inner, at, found)]];
    found.set(JSON.stringify(at), entryOf(inner));
    return [];
  });
  return Object.fromEntries(fields);
}

function composed(winners: readonly (readonly [string, LoginContent])[]): unknown {
  const values = winners.map(([name, source]) => [pathOf(name), source.entries.get(name)?.value] as const);
  return values
    .sort(([one], [other]) => one.length - other.length)
    .reduce<unknown>((whole, [path, value]) => withValue(whole, path, value), {});
}

function withValue(whole: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const record = isRecord(whole) ? whole : {};
  const [, inner] = Object.entries(record).find(([name]) => name === key) ?? [];
  return { ...record, [key]: withValue(inner, path, value) };
}

function pathOf(name: string): string[] {
  const path: unknown = JSON.parse(name);
  return Array.isArray(path) ? path.map(String) : [];
}

function entryOf(value: object): LoginEntry {
  return { digest: digestOf(JSON.stringify(value)), time: timeIn(value), value };
}

/** The latest time that an object names itself. */
function timeIn(value: object): number | undefined {
  const times = Object.entries(value).flatMap(([name, given]) => (timeName.test(name) ? timeOf(given) : []));
  return times.length === 0 ? undefined : Math.max(...times);
}

function timeOf(given: unknown): number[] {
  const number = typeof given === 'string' ? Date.parse(given) : given;
  if (typeof number !== 'number' || !(number > 0)) return [];
  const time = number < secondsBelow ? number * 1000 : number;
  return time < Date.now() + maxAheadMs ? [time] : [];
}

function parsedText(content: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(content).toString());
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
