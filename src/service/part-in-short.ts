import { counted } from '#cli/print/counted.ts';
import type { Check } from '#contract/host/check.ts';
import type { Part } from './service-checks.ts';

/** What a person chooses isolation and limits by, on each host: shown also if nothing is wrong. */
const choices: ReadonlySet<string> = new Set(['sandbox', 'container', 'limits']);

/**
 * The checks of a part that found something wrong, except those already shown for this computer, and how many passed if
 * none did; then how agents can be isolated and limited there.
 */
export function inShort({ name, checks }: Part, said: readonly Check[]): Check[] {
  const isSaid = (one: Check) => said.some((other) => other.name === one.name && other.found === one.found);
  const named = (check: Check): Check => ({ ...check, name: `${name}: ${check.name}` });
  const isChoice = (check: Check) => check.outcome === 'ok' && choices.has(check.name);
  const wrong = checks.filter((check) => check.outcome !== 'ok' && !isSaid(check));
  const passed = checks.filter(({ outcome }) => outcome === 'ok').length;
  const summary: Check = { name, outcome: 'ok', found: `${counted(passed, 'check')} passed`, mend: '' };
  return [...(wrong.length > 0 ? wrong.map(named) : [summary]), ...checks.filter(isChoice).map(named)];
}
