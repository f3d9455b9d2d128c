import type { Capture } from '#contract/pane/capture.ts';
import type { LostRule, Reading } from '#contract/pane/reading.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { pattern } from './pattern.ts';
import { cutRegions } from './region.ts';
import { matchesScreen, type Trial, tryRule } from './rule.ts';

/** A reading, with the rules that were outranked or nearly matched. */
export interface Explanation {
  readonly reading: Reading;
  readonly lost: readonly LostRule[];
}

/** Maximum length of a detail, in characters. */
const detailLength = 120;

/** The reading if no rule matches. */
export const undecided: Reading = {
  state: 'AGENT_STATE_UNCERTAIN',
  rule: 'none',
  evidence: [],
  reason: '',
  detail: '',
};

/** How long reading one screen may take, in milliseconds: rules are data, and a screen may contain anything. */
export const readWithin = 1_000;

/** Text that asks for a secret. */
const secret = /\b(?:pass(?:word|phrase|code)|pin|secret|token)\b(?:[^:?]|[:?][^ :?])*[:?]? *$/i;

/** The reading if reading took too long. */
export const unread: Reading = { ...undecided, reason: 'unread' };

/** Decides what a pane is doing from one capture. If no rule matches, the reading is UNCERTAIN by the rule `none`. */
export function read(harness: HarnessScreens, capture: Capture): Reading {
  const regions = cutRegions(harness.layout, capture);
  const rule = byPriority(harness).find((candidate) => matchesScreen(candidate, regions));
  return rule === undefined ? undecided : readingOf(tryRule(rule, regions));
}

/**
 * As `read`, with the rules that matched and were outranked, and those that would have decided and failed by one
 * condition.
 */
export function explain(harness: HarnessScreens, capture: Capture): Explanation {
  const regions = cutRegions(harness.layout, capture);
  const trials = byPriority(harness).map((rule) => tryRule(rule, regions));
  const winner = trials.find((trial) => trial.matched);
  const min = winner?.rule.priority ?? Number.NEGATIVE_INFINITY;
  const lost = trials.filter(
    (trial) => trial !== winner && (trial.matched || (trial.near && trial.rule.priority >= min)),
  );
  return {
    reading: winner === undefined ? undecided : readingOf(winner),
    lost: lost.map((trial) => ({ rule: trial.rule.id, why: whyLost(trial, winner) })),
  };
}

const sorted = new WeakMap<HarnessScreens, HarnessScreens['rules']>();

function byPriority(harness: HarnessScreens): HarnessScreens['rules'] {
  const rules = sorted.get(harness) ?? harness.rules.toSorted((left, right) => right.priority - left.priority);
  sorted.set(harness, rules);
  return rules;
}

function readingOf(trial: Trial): Reading {
  const { id, state, reason, detail, answer } = trial.rule;
  const { evidence } = trial;
  const found = { state, rule: id, evidence, reason, detail: detail === undefined ? '' : detailIn(evidence, detail) };
  if (answer === undefined) return found;
  return { ...found, answer: evidence.some((row) => secret.test(row)) ? 'secret' : 'line' };
}

function detailIn(evidence: readonly string[], source: string): string {
  // The joined rows come last: a sentence may be wrapped.
  const rows = [...evidence, evidence.map((row) => row.trim()).join(' ')];
  const found = rows.map((row) => pattern(source).exec(row)?.[1]).find((text) => text !== undefined);
  return found?.trim().slice(0, detailLength) ?? '';
}

function whyLost(trial: Trial, winner: Trial | undefined): string {
  return trial.matched && winner !== undefined ? `outranked by ${winner.rule.id}` : trial.why;
}
