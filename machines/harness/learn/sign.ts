import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import type { ScreenCondition, ScreenLayout, ScreenRegion } from '#contract/pane/screen-rule.ts';
import { cutRegions, type Regions } from '#machines/pane/region.ts';
import { textsOf } from './composer-shape.ts';
import { literal, spinnerClass } from './literal.ts';

/** A sign of a state, and its weight: hints about keys and moving signs have the highest weight. */
export interface Sign {
  readonly conditions: readonly ScreenCondition[];
  readonly weight: number;
}

/** How many rows from the end of a region a sign may be. */
const nearest: Partial<Record<ScreenRegion, number>> = { live: 4, footer: 4, tail: 14 };
const keyWord = /\b(?:esc|escape|enter|return|tab|ctrl|arrows?|[yn]\/[yn])\b|[↑↓⇆↕]/i;
const verb =
  /\b(?:interrupt|cancel|stop|abort|select|confirm|submit|approve|allow|accept|reject|deny|dismiss|choose|navigate|trust|proceed|permission|once|always|sign in|log in|login|working|thinking|running|generating)\b/i;
const spinners = '\\u2800-\\u28ff◐◓◑◒';
/** The separators between the phrases of one row. */
const between = / {2,}| *[·•|│┃╹╰╯╭╮] */;
const maxWords = 6;

/** The signs of a screen; `frames` are the screens of the same moment and size. */
export function signsOf(screen: RecordedScreen, frames: readonly RecordedScreen[], layout: ScreenLayout): Sign[] {
  const regions = cutRegions(layout, screen.capture);
  const hasComposer = regions.ink !== undefined;
  const where: ScreenRegion[] = hasComposer ? ['footer', 'live', 'composer'] : ['tail'];
  const composer: ScreenCondition = { in: 'composer', is: hasComposer ? 'present' : 'absent' };
  const conditions = [...where.flatMap((region) => wordSigns(regions, region)), ...movingSigns(screen, frames, where)];
  return [
    ...conditions.map(({ condition, weight }) => ({ conditions: [condition, composer], weight })),
    ...titleAndStatusSigns(regions, composer),
  ];
}

interface WeightedCondition {
  readonly condition: ScreenCondition;
  readonly weight: number;
}

/** Phrases of the last rows of a region. */
function wordSigns(regions: Regions, region: ScreenRegion): WeightedCondition[] {
  const last = nearest[region];
  const rows = regions.rows[region].filter(({ text }) => text.trim() !== '').slice(-(last ?? 6));
  return rows.flatMap(({ text }, at) =>
    text
      .split(between)
      .flatMap(phrases)
      .map((phrase) => ({
        condition: { in: region, row: bounded(phrase), ...(last === undefined ? {} : { last }) },
        weight: weightOf(phrase, region) + at / 1_000,
      })),
  );
}

/** The runs of words in a phrase that may be a sign, without paths, quotations and code. */
function phrases(text: string): string[] {
  const words = text
    .trim()
    .split(/ +/)
    .filter((word) => word !== '');
  if (words.length === 0 || !/\p{L}{2}/u.test(text)) return [];
  const whole = words.slice(0, maxWords).join(' ');
  const hints = words.flatMap((word, at) => (keyWord.test(word) ? [words.slice(at, at + 3).join(' ')] : []));
  const heads = words.length > 2 ? [words.slice(0, 2).join(' '), words.slice(0, 3).join(' ')] : [];
  return [...new Set([whole, ...heads, ...hints])].filter((phrase) => !/[/\\"'`$=<>{}]|\.\w/.test(phrase));
}

function weightOf(phrase: string, region: ScreenRegion): number {
  const isHint = keyWord.test(phrase) && verb.test(phrase);
  const place = region === 'footer' ? 0.3 : region === 'composer' ? -0.5 : 0;
  return (isHint ? 3 : verb.test(phrase) ? 2 : keyWord.test(phrase) ? 1.5 : 0.5) + place;
}

function bounded(phrase: string): string {
  const start = /^[\p{L}\p{N}]/u.test(phrase) ? '(?:^|[^\\p{L}\\p{N}])' : '';
  const end = /[\p{L}\p{N}]$/u.test(phrase) ? '(?![\\p{L}\\p{N}])' : '';
  return `${start}${literal(phrase)}${end}`;
}

/** Signs that change from one frame to the next, as a spinner does. */
function movingSigns(
  screen: RecordedScreen,
  frames: readonly RecordedScreen[],
  where: readonly ScreenRegion[],
): WeightedCondition[] {
  const all = frames.map((frame) => textsOf(frame).map((text) => [...text]));
  return textsOf(screen).flatMap((text, row) => {
    const own = [...text];
    const moving = own.flatMap((sign, at) => (isMoving(all, row, at) && isSign(sign) ? [at] : []));
    const [first] = moving;
    if (first === undefined) return [];
    const signs = new Set(moving.flatMap((at) => all.map((rows) => rows[row]?.[at] ?? ' ').filter(isSign)));
    const set = [...signs].some((sign) => /[\u2800-\u28ff◐◓◑◒]/u.test(sign))
      ? spinners
      : spinnerClass(signs).slice(1, -1);
    const inRun = moving.length > 1 && isSign(own[first + 1] ?? ' ');
    const pattern = inRun
      ? `[${set}]{3}`
      : own.slice(0, first).every((sign) => !isWordy(sign))
        ? `^[^\\p{L}\\p{N}]{0,6}[${set}] +\\S`
        : '';
    return pattern === '' ? [] : where.map((region) => movingIn(region, pattern));
  });
}

function movingIn(region: ScreenRegion, row: string): WeightedCondition {
  const last = nearest[region];
  return { condition: { in: region, row, ...(last === undefined ? {} : { last }) }, weight: 2.5 };
}

function isMoving(frames: readonly (readonly (readonly string[])[])[], row: number, at: number): boolean {
  return new Set(frames.map((rows) => rows[row]?.[at] ?? ' ')).size > 1;
}

const isWordy = (sign: string): boolean => /[\p{L}\p{N}]/u.test(sign);
const isSign = (sign: string): boolean => /[^\p{L}\p{N}\s.,:;()[\]…'"]/u.test(sign);

/** Signs in the title and in the status sequences. */
function titleAndStatusSigns({ rows }: Regions, composer: ScreenCondition): Sign[] {
  const title = rows.title[0]?.text ?? '';
  const sign = /^[^\p{L}\p{N}\s/~.,:([<>"'_$@#|-]/u.exec(title)?.[0];
  const spins = sign !== undefined && /[\u2800-\u28ff◐◓◑◒]/u.test(sign);
  const titles =
    sign === undefined ? [] : [{ in: 'title' as const, row: spins ? `^[${spinners}]` : `^${literal(sign)}` }];
  const state = /(?:^|[;:])(state=\w+)/.exec(rows.status[0]?.text ?? '')?.[1];
  const states = state === undefined ? [] : [{ in: 'status' as const, row: `(?:^|[;:])${state}\\b` }];
  return [...titles, ...states].map((condition) => ({ conditions: [condition, composer], weight: 2 }));
}
