import type { HarnessScreens, ScreenCondition, ScreenLayout, ScreenRule } from '#contract/pane/screen-rule.ts';
import { empty, rank, unknownTitle, workingRow } from './harness/common.ts';

const made = new WeakMap<HarnessScreens, HarnessScreens>();

/**
 * The rules by which screens of a CLI are read that is newer than the one they were recorded with. They find work and
 * questions as before; an empty composer is rest only if nothing above it, in its footer or in its title could be of
 * that newer CLI's own. Each rule that is added makes a screen UNCERTAIN (`unknown-row`) that would be at rest.
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

/** Signs that a title of a CLI without a rule for it may begin with: they stand there whatever it does. */
const knownTitles = '⠂✳';

/** Signs at the head of a part of a footer that any CLI has at rest, beside letters, punctuation and pictures. */
const footerSign = '[^\\p{L}\\p{N}\\p{Emoji_Presentation}\\p{Co}\\s!-\\/:-@\\[-`{-~⏵⏸◯●←→↑↓⏎➜│┃╹▀╰╭╮╯─·•…❯›]';

function rulesFor({ known }: ScreenLayout): ScreenRule[] {
  const looks: [string, ScreenCondition][] = [
    // Within an answer too: an update may draw its work with an indentation that answers have.
    ['newer/working-row', { in: 'since', row: `^ *(?:${workingRow})` }],
    ['newer/footer-sign', { in: 'footer', row: `(?:^ *|[·•|│] )${footerSign}` }],
  ];
  // Where neither an end nor a prompt is on the screen, all that is on it counts.
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
