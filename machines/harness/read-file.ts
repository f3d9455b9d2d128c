import { HarnessFile, type RuleFault } from '#contract/pane/harness-file.ts';
import type { HarnessScreens, ScreenRule } from '#contract/pane/screen-rule.ts';
import { cliRules } from '#machines/pane/harness/common.ts';
import type { Harness } from './definition.ts';
import { blankLayout, type Harnesses } from './harnesses.ts';
import { brokenLine, type JsonPath, lineOfPath } from './json-line.ts';
import { launchTextOf, maxLaunchText, withoutLaunch } from './launch-part.ts';

/** The harness that a person's file defines. */
export interface FileHarness {
  /** The complete harness. */
  readonly harness: Harness;
  /** What has effect as long as no person has confirmed its launch. */
  readonly unconfirmed: Harness;
  /** The text of the launch for a person to confirm; undefined if the file has only rules for screens. */
  readonly launch: string | undefined;
}

/** The harness of a file, or why the file is refused. */
export type FileReading = FileHarness | { readonly faults: readonly RuleFault[] };

/** How many faults of a file are reported. */
const maxFaults = 10;

/**
 * Reads `rules/<name>.json`, which may extend a built-in harness. `isSlow` tries a regular expression on adversarial
 * input.
 */
export function readHarnessFile(
  name: string,
  text: string,
  builtIn: Harnesses,
  isSlow: (pattern: string) => boolean,
): FileReading {
  const value = jsonOf(text);
  if ('line' in value) return { faults: [value] };
  const parsed = HarnessFile.safeParse(value.json);
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, maxFaults).map((issue) => {
      const path = issue.path as JsonPath;
      return { line: lineOfPath(text, path), reason: `${wordsOf(path)}: ${issue.message}` };
    });
    return { faults };
  }
  const found = [...faultsOf(name, parsed.data, builtIn), ...slowPatterns(parsed.data, isSlow)];
  const faults = found.slice(0, maxFaults).map(({ path, reason }) => ({
    line: lineOfPath(text, path),
    reason: `${wordsOf(path)}: ${reason}`,
  }));
  return faults.length > 0 ? { faults } : harnessIn(name, parsed.data, builtIn);
}

/** The harness of a file without faults. */
export function harnessOfFile(name: string, file: HarnessFile, builtIn: Harnesses): Harness {
  return mergedWith(baseOf(name, file, builtIn), name, file);
}

function harnessIn(name: string, file: HarnessFile, builtIn: Harnesses): FileHarness {
  const known = builtIn.find(name);
  const harness = harnessOfFile(name, file, builtIn);
  return {
    harness,
    unconfirmed: withoutLaunch(harness, known),
    launch: launchTextOf(name, file, known !== undefined),
  };
}

function jsonOf(text: string): { readonly json: unknown } | RuleFault {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return {
      line: brokenLine(text),
      reason: `it is not JSON: ${said.replace(/[, ]+(?:in JSON|\.{3}|").*$/s, '')}`,
    };
  }
}

/** `rules[2].all[0].row` */
function wordsOf(path: JsonPath): string {
  const words = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return words.replace(/^\./, '') || 'the file';
}

interface PathFault {
  readonly path: JsonPath;
  readonly reason: string;
}

/** Faults other than of the file's schema. */
function faultsOf(name: string, file: HarnessFile, builtIn: Harnesses): PathFault[] {
  const faults: PathFault[] = [];
  const known = builtIn.find(name);
  const names = builtIn.all().map((harness) => harness.name);
  if (known && file.like !== undefined) {
    faults.push({ path: ['like'], reason: `${name} is built in, so the file changes it directly: leave it out` });
  }
  if (known && file.codingAgent !== undefined) {
    faults.push({ path: ['codingAgent'], reason: `${name} is built in, and this cannot be changed: leave it out` });
  }
  if (!known && file.like !== undefined && !builtIn.find(file.like)) {
    faults.push({ path: ['like'], reason: `${file.like} is not built in: name one of ${names.join(', ')}` });
  }
  if (!known && file.like === undefined && file.launch?.command === undefined) {
    faults.push({ path: ['launch'], reason: `${name} is not built in: name its program in launch.command` });
  }
  if ((launchTextOf(name, file, known !== undefined) ?? '').length > maxLaunchText) {
    faults.push({
      path: ['launch'],
      reason: `it is longer than ${maxLaunchText} characters, too long for a person to check`,
    });
  }
  const there = baseOf(name, file, builtIn).screens.rules.map(({ id }) => id);
  const added = (file.rules ?? []).map(({ id }) => id);
  for (const [place, id] of added.entries()) {
    if (added.indexOf(id) < place) faults.push({ path: ['rules', place, 'id'], reason: `${id} is listed twice` });
  }
  for (const [place, id] of (file.disable ?? []).entries()) {
    if (!there.includes(id)) faults.push({ path: ['disable', place], reason: `there is no rule ${id}` });
    else if (added.includes(id)) faults.push({ path: ['disable', place], reason: `${id} is given again in rules` });
  }
  return faults;
}

/** The regular expressions that take too long. Every text in a layout or a condition is one, except names. */
function slowPatterns({ layout, rules }: HarnessFile, isSlow: (pattern: string) => boolean): PathFault[] {
  const reason = 'takes too long on the most difficult rows: limit its repetitions, or begin it with ^';
  return textsIn({ layout, rules }, [])
    .filter(({ path, text }) => !isName(path) && isSlow(text))
    .map(({ path }) => ({ path, reason }));
}

function isName(path: JsonPath): boolean {
  return ['id', 'state', 'reason', 'in', 'is', 'look', 'kind', 'marks'].includes(String(path.at(-1)));
}

function textsIn(value: unknown, path: JsonPath): { readonly path: JsonPath; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((each, place) => textsIn(each, [...path, place]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, [...path, key]));
}

/**
 * What a file extends. A new harness that is like no other resumes with its start arguments, unless its file says how.
 */
type Base = Omit<Harness, 'name' | 'resume'> & { readonly resume?: Harness['resume'] };

/** What a file extends: the built-in harness with its name, the one that it is like, or the rules for any CLI. */
function baseOf(name: string, { like = '' }: HarnessFile, builtIn: Harnesses): Base {
  return (
    builtIn.find(name) ??
    withoutVersion(builtIn.find(like)) ?? {
      command: name,
      start: [],
      env: {},
      screens: { harness: name, layout: blankLayout, rules: [...cliRules] },
    }
  );
}

/** A built-in harness of another CLI, without what depends on its version: that CLI may not know how to be asked. */
function withoutVersion(harness: Harness | undefined): Harness | undefined {
  if (harness === undefined) return undefined;
  const { versionArgs: _, recordedWith: __, mayLack: ___, ...others } = harness;
  return others;
}

function mergedWith(base: Base, name: string, { launch = {}, recordedWith, ...file }: HarnessFile): Harness {
  const { env = {}, ...given } = launch;
  const { codingAgent = base.codingAgent ?? false } = file;
  const started: Base = Object.assign({}, base, given, { codingAgent }, recordedWith && { recordedWith });
  const screens: HarnessScreens = {
    harness: name,
    layout: Object.assign({}, base.screens.layout, file.layout),
    rules: rulesWith(base.screens.rules, file),
  };
  return { ...started, name, resume: started.resume ?? started.start, env: { ...base.env, ...env }, screens };
}

function rulesWith(rules: readonly ScreenRule[], { rules: given = [], disable = [] }: HarnessFile): ScreenRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const rule of given) byId.set(rule.id, rule);
  for (const id of disable) byId.delete(id);
  return [...byId.values()];
}
