import type { CellLook, ScreenCondition, ScreenRule } from '#contract/pane/screen-rule.ts';
import { evidenceText } from './evidence-text.ts';
import { looksLike } from './look.ts';
import { pattern } from './pattern.ts';
import type { Regions } from './region.ts';
import { everyCell, type Row } from './screen.ts';

/** How many rows of evidence are reported. */
const maxEvidence = 8;
/** How much of a region's joined rows is read, in UTF-16 units, from the end. */
const longestText = 20_000;

/** The result of a rule on a screen. */
export interface Trial {
  readonly rule: ScreenRule;
  readonly matched: boolean;
  /** The rows that its conditions matched, and named facts that are not on the screen. */
  readonly evidence: readonly string[];
  /** Why it did not match; empty if it did. */
  readonly why: string;
  /** Whether all but one of its conditions held. */
  readonly near: boolean;
}

/** Whether a rule matches a screen that was cut into regions. Faster than `tryRule`, because it gives no reasons. */
export function matchesScreen({ all, any, none }: ScreenRule, regions: Regions): boolean {
  const isSeen = (condition: ScreenCondition): boolean => holds(condition, regions) !== undefined;
  return all.every(isSeen) && (any === undefined || any.some(isSeen)) && none?.some(isSeen) !== true;
}

/** Tries a rule on a screen that was cut into regions. */
export function tryRule(rule: ScreenRule, regions: Regions): Trial {
  const all = rule.all.map((condition) => ({ condition, seen: holds(condition, regions) }));
  const any = rule.any?.map((condition) => ({ condition, seen: holds(condition, regions) })) ?? [];
  const none = rule.none?.map((condition) => ({ condition, seen: holds(condition, regions) })) ?? [];
  const missing = all.filter((trial) => trial.seen === undefined).map((trial) => describe(trial.condition));
  const lacking = any.length > 0 && any.every((trial) => trial.seen === undefined);
  const barred = none.filter((trial) => trial.seen !== undefined).map((trial) => describe(trial.condition));
  const faults = [
    ...missing.map((text) => `lacks ${text}`),
    ...(lacking ? [`lacks one of ${any.map((trial) => describe(trial.condition)).join(', ')}`] : []),
    ...barred.map((text) => `barred by ${text}`),
  ];
  const evidence = [...all, ...any].flatMap((trial) => trial.seen ?? []);
  return {
    rule,
    matched: faults.length === 0,
    evidence: [...new Set(evidence)].slice(0, maxEvidence),
    why: faults.join('; '),
    near: faults.length === 1 && evidence.length > 0,
  };
}

/** The rows that satisfy a condition, or undefined if none do. */
function holds(condition: ScreenCondition, regions: Regions): readonly string[] | undefined {
  const rows = lastRows(regions.rows[condition.in], condition.last);
  if (condition.is !== undefined && !isMet(condition, rows, regions)) return undefined;
  const seen: string[] = [];
  if (condition.row !== undefined) {
    const row = findRow(rows, condition.row, condition.look);
    if (row === undefined) return undefined;
    seen.push(evidenceText(condition.in, row.text));
  }
  if (condition.text !== undefined) {
    const matched = rowsOfMatch(rows, condition.text);
    if (matched === undefined) return undefined;
    seen.push(...matched.map((row) => evidenceText(condition.in, row)));
  }
  if (condition.in === 'form' && condition.is === 'present')
    seen.push(...textsOf(regions.question).slice(-maxEvidence));
  return seen;
}

function isMet(condition: ScreenCondition, rows: readonly Row[], regions: Regions): boolean {
  const present = condition.in === 'composer' ? regions.ink !== undefined : rows.some((row) => row.text.trim() !== '');
  if (condition.is === 'present') return present;
  if (condition.is === 'absent') return !present;
  if (condition.is === 'plain') return !regions.styled;
  return regions.ink === condition.is;
}

function findRow(rows: readonly Row[], source: string, look: CellLook | undefined): Row | undefined {
  return rows.findLast((row) => {
    const found = pattern(source).exec(row.text);
    if (found === null) return false;
    if (look === undefined) return true;
    const [from, to] = found.indices?.[1] ?? found.indices?.[0] ?? [0, 0];
    return everyCell(row, from, to, (style) => looksLike(style, look));
  });
}

function lastRows(rows: readonly Row[], count: number | undefined): readonly Row[] {
  return count === undefined ? rows : rows.filter((row) => row.text !== '').slice(-count);
}

/** The rows that an expression matches across, joined by single blanks; undefined if it does not match. */
function rowsOfMatch(rows: readonly Row[], source: string): string[] | undefined {
  const texts = textsOf(rows);
  const words = texts.map((text) => text.trim().replace(/ +/g, ' '));
  const whole = words.join(' ');
  const cut = Math.max(0, whole.length - longestText);
  const found = pattern(source).exec(whole.slice(cut));
  if (found === null) return undefined;
  const from = cut + found.index;
  const to = Math.max(from + 1, from + found[0].length);
  let end = -1;
  return texts.filter((_, at) => {
    const start = end + 1;
    end = start + (words[at]?.length ?? 0);
    return start < to && end > from;
  });
}

function textsOf(rows: readonly Row[]): string[] {
  return rows.map(({ text }) => text).filter((text) => text.trim() !== '');
}

function describe(condition: ScreenCondition): string {
  const { in: region, last, ...rest } = condition;
  const wants = Object.entries(rest).map(([key, value]) => `${key} ${value}`);
  return `${region}${last === undefined ? '' : ` (last ${last})`} ${wants.join(' and ')}`;
}
