import type { HarnessScreens, ScreenCondition, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { empty, rank, unknownTitle, workingRow } from './harness/common.ts';

const made = new WeakMap<HarnessScreens, HarnessScreens>();

/**
 * The rules for a CLI that is newer than the version they were recorded with. They recognize work and questions as
 * before. But an empty composer is rest only if nothing above it, in its footer or in its title could be new in that
 * version. Each added rule makes a screen UNCERTAIN (`unknown-row`) that would otherwise be at rest.
 */
export function stricter(screens: HarnessScreens): HarnessScreens {
  const known = made.get(screens);
  if (known !== undefined) return known;
  const title = /\/unknown-title$/;
  const own = screens.rules.map((rule) => (title.test(rule.id) ? { ...rule, none: [] } : rule));
  const named = own.some(({ id }) => title.test(id)) ? [] : [unknownTitle(screens.harness, knownTitles)];
  const strict = { ...screens, rules: [...own, ...named, ...rulesFor(screens.layout)] };
  made.set(screens, strict);
  return strict;
}

/** Signs at the beginning of titles that do not depend on the state, for a CLI without rules for its title. */
const knownTitles = '⠂✳';

/**
 * A sign at the beginning of a footer's part that is unknown at rest: not a letter, punctuation, emoji or common sign.
 */
const footerSign = '[^\\p{L}\\p{N}\\p{Emoji_Presentation}\\p{Co}\\s!-\\/:-@\\[-`{-~⏵⏸◯●←→↑↓⏎➜│┃╹▀╰╭╮╯─·•…❯›]';

function rulesFor({ known }: ScreenLayout): ScreenRule[] {
  const looks: [string, ScreenCondition][] = [
    // Also within an answer: a newer version may indent its working row like an answer.
    ['newer/working-row', { in: 'since', row: `^ *(?:${workingRow})` }],
    ['newer/footer-sign', { in: 'footer', row: `(?:^ *|[·•|│] )${footerSign}` }],
  ];
  // If neither the end of a turn nor a prompt is on the screen, all rows count.
  if (known !== undefined) {
    const rows = known.rows.map((source) => `(?:${source})`).join('|');
    looks.push(['newer/unknown-row', { in: 'since', row: `^(?!${rows})(?=.*\\S)` }]);
  }
  return looks.map(([id, look]) => ({
    id,
    priority: rank.unsure - 50,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unknown-row',
    all: [look],
    any: [...empty],
  }));
}
