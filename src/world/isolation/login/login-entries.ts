import { createHash } from 'node:crypto';

/** A part of a login, such as that of one provider. */
interface LoginEntry {
  readonly digest: string;
  /** The latest time that it names, in milliseconds since 1970: when it was renewed, or when it expires. */
  readonly time: number | undefined;
}

/** What a file of a login holds. */
export interface LoginContent {
  readonly content: Uint8Array;
  readonly digest: string;
  /** The object in it; undefined if it is none, or too large to be looked into. */
  readonly value: object | undefined;
  /** Each object in it and, apart from the objects in these, the rest of each, by their names. */
  readonly entries: ReadonlyMap<string, LoginEntry>;
  /** When its writer wrote it, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** A part of a file of a login of which one version counts: an object, or what is in an object apart from the objects in it. */
export interface LoginPart {
  /** The names that lead to the object. */
  readonly path: readonly string[];
  readonly isRest: boolean;
}

/** The names by which CLIs write when a login was renewed or expires. */
const timeName = /^(?:expires(?:_?at)?|expiry(?:_?date)?|last_?refresh)$/i;
/** Numbers below this are seconds. */
const secondsBelow = 1e11;
/** A time further in the future than this is not one of a login, in milliseconds. */
const maxAheadMs = 400 * 24 * 60 * 60 * 1000;
const maxDepth = 3;
/** The maximum number of objects of a file that are distinguished. */
const maxEntries = 1000;

/** The content of a file of a login. */
export function loginContent(content: Uint8Array, writtenAt: number): LoginContent {
  // Byte by byte: some logins are not text.
  const digest = digestOf(content);
  const value = parsedObject(content);
  const whole = { digest, time: value && timeIn(value) };
  const entries = new Map<string, LoginEntry>();
  if (value !== undefined) collect(value, [], entries);
  entries.set(nameOf({ path: [], isRest: false }), whole);
  // Nobody wrote anything later than now.
  const known = { content, digest, writtenAt: Math.min(writtenAt, Date.now()) };
  if (entries.size <= maxEntries) return { ...known, value, entries };
  return { ...known, value: undefined, entries: new Map([[nameOf({ path: [], isRest: false }), whole]]) };
}

function collect(value: object, path: readonly string[], found: Map<string, LoginEntry>): void {
  if (path.length > maxDepth || found.size > maxEntries) return;
  found.set(nameOf({ path, isRest: false }), entryOf(value));
  found.set(nameOf({ path, isRest: true }), entryOf(withoutObjects(value)));
  for (const [key, inner] of objectsIn(value)) collect(inner, [...path, key], found);
}

/** The name of a part. */
export function nameOf({ path, isRest }: LoginPart): string {
  return `${JSON.stringify(path)}${isRest ? ' rest' : ''}`;
}

/** The digests of all parts, by name. */
export function digestsOf({ entries }: LoginContent): Record<string, string> {
  return Object.fromEntries([...entries].map(([name, { digest }]) => [name, digest]));
}

/**
 * The parts in which all of some files can be divided. An object that names a time in any of them is one part, and so is one that
 * is something else than an object in another.
 */
export function partsOf(files: readonly LoginContent[]): LoginPart[] {
  const values = files.flatMap(({ value }) => value ?? []);
  return values.length < files.length ? [{ path: [], isRest: false }] : dividedAt([], values);
}

function dividedAt(path: readonly string[], values: readonly object[]): LoginPart[] {
  const objects = new Set(values.flatMap((value) => objectsIn(value).map(([key]) => key)));
  const others = values.flatMap((value) => Object.keys(withoutObjects(value)));
  const isOne = path.length === maxDepth || others.some((key) => objects.has(key) || timeName.test(key));
  if (isOne) return [{ path, isRest: false }];
  const inner = [...objects].flatMap((key) =>
    dividedAt(
      [...path, key],
      values.flatMap((value) => objectAt(value, [key]) ?? []),
    ),
  );
  return [{ path, isRest: true }, ...inner];
}

/** A file with each of the parts as a file has it. */
export function composed(parts: readonly (readonly [LoginPart, LoginContent])[]): LoginContent {
  const whole = parts.reduce<object>((before, [{ path, isRest }, { value = {} }]) => {
    const inner = objectAt(value, path) ?? {};
    return withObject(before, path, isRest ? withoutObjects(inner) : inner);
  }, {});
  const writtenAt = Math.max(...parts.map(([, source]) => source.writtenAt));
  return loginContent(Buffer.from(`${JSON.stringify(whole, undefined, 2)}\n`), writtenAt);
}

function withObject(whole: object, [key, ...path]: readonly string[], value: object): object {
  if (key === undefined) return value;
  return { ...whole, [key]: withObject(objectAt(whole, [key]) ?? {}, path, value) };
}

function objectAt(value: object, [key, ...path]: readonly string[]): object | undefined {
  if (key === undefined) return value;
  const [, inner] = objectsIn(value).find(([name]) => name === key) ?? [];
  return inner && objectAt(inner, path);
}

function objectsIn(value: object): [string, object][] {
  return Object.entries(value).filter((entry): entry is [string, object] => isObject(entry[1]));
}

function withoutObjects(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => !isObject(inner)));
}

function entryOf(value: object): LoginEntry {
  return { digest: digestOf(JSON.stringify(value)), time: timeIn(value) };
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

function parsedObject(content: Uint8Array): object | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(content).toString());
    // What is nested too deeply can be read, but not be written.
    JSON.stringify(parsed);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
