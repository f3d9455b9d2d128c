import { labelMeanings, type RecordedScreen, reasonOfLabel, type ScreenLabel } from '#contract/pane/recorded-screen.ts';
import type { HarnessScreens, ScreenRule } from '#contract/pane/screen-rule.ts';
import { rank } from '#machines/pane/harness/common.ts';
import { cutRegions, type Regions } from '#machines/pane/region.ts';
import { matchesScreen } from '#machines/pane/rule.ts';
import { sizeOf } from './assessment.ts';
import { type Sign, signsOf } from './sign.ts';

/** Maximum number of rules that are learned for one label. */
const maxRules = 6;

/** The input of learning rules. */
export interface LearningInput {
  readonly harness: HarnessScreens;
  readonly screens: readonly RecordedScreen[];
}

/** Rules for the screens of a label that are read wrong; none for screens that no sign distinguishes. */
export function learnRules(
  { harness, screens }: LearningInput,
  label: ScreenLabel,
  missed: readonly RecordedScreen[],
  as: Pick<ScreenRule, 'state' | 'reason' | 'priority'> = ruleOf(label),
  minWeight = 1,
): ScreenRule[] {
  const { state } = labelMeanings[label];
  const cut = new Map(screens.map((screen) => [screen, cutRegions(harness.layout, screen.capture)]));
  const others = screens
    .filter((screen) => labelMeanings[screen.label].state !== state)
    .map((screen) => cut.get(screen));
  const signs = missed.flatMap((screen) => signsOf(screen, framesOf(screen, screens), harness.layout));
  const byText = new Map(signs.map((sign) => [JSON.stringify(sign.conditions), sign]));
  const fit = [...byText.values()]
    .filter(({ weight }) => weight >= minWeight)
    .map((sign) => ({ sign, rule: ruleFor(sign, as) }))
    .filter(({ rule }) => !others.some((regions) => regions !== undefined && matchesScreen(rule, regions)));
  return chooseRules(fit, missed, cut).map((rule, place) => ({
    ...rule,
    id: `${harness.harness}/${as.reason === 'unfinished' ? 'guard-' : ''}${label}${place === 0 ? '' : `-${place + 1}`}`,
  }));
}

/** The screens of the same moment and size. */
function framesOf(screen: RecordedScreen, screens: readonly RecordedScreen[]): readonly RecordedScreen[] {
  return screens.filter(
    (other) => other.label === screen.label && other.moment === screen.moment && sizeOf(other) === sizeOf(screen),
  );
}

function ruleOf(label: ScreenLabel): Pick<ScreenRule, 'state' | 'reason' | 'priority'> {
  const { state } = labelMeanings[label];
  const priority =
    state === 'AGENT_STATE_THINKING' ? rank.status : state === 'AGENT_STATE_WAITING' ? rank.form : rank.viewer;
  return { state, reason: reasonOfLabel(label), priority };
}

function ruleFor({ conditions }: Sign, as: Pick<ScreenRule, 'state' | 'reason' | 'priority'>): ScreenRule {
  return { id: 'learned/sign', ...as, all: [...conditions] };
}

/** A small set of rules that matches the screens, chosen greedily by their weight on the remaining ones. */
function chooseRules(
  fit: readonly { readonly sign: Sign; readonly rule: ScreenRule }[],
  missed: readonly RecordedScreen[],
  cut: ReadonlyMap<RecordedScreen, Regions>,
): ScreenRule[] {
  const chosen: ScreenRule[] = [];
  let left = [...missed];
  const matches = (rule: ScreenRule, screen: RecordedScreen): boolean => {
    const regions = cut.get(screen);
    return regions !== undefined && matchesScreen(rule, regions);
  };
  while (left.length > 0 && chosen.length < maxRules) {
    const gains = fit.map(({ sign, rule }) => {
      const count = left.filter((screen) => matches(rule, screen)).length;
      return { rule, gain: count * sign.weight, count };
    });
    const best = gains.filter(({ count }) => count > 0).toSorted((a, b) => b.gain - a.gain)[0];
    if (best === undefined) break;
    chosen.push(best.rule);
    left = left.filter((screen) => !matches(best.rule, screen));
  }
  return chosen;
}
