import { isDeepStrictEqual } from 'node:util';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { type KnownScreen, type ReadScreen, readAll, word } from '../confusion.ts';
import { loadGoldens } from '../golden-screen.ts';
import { loadSamples } from '../screen-corpus.ts';
import { Dice } from './dice.ts';
import { type Mutation, mutations, noTitle, together } from './mutation.ts';

/** What happened to screens that one kind of change went over. */
export interface Outcome {
  readonly name: string;
  /** How many screens look otherwise than before. */
  readonly changed: number;
  /** How many screens showed work or a question. */
  readonly busy: number;
  /** Of these, how many are still read as they were. */
  readonly kept: number;
  /** Screens of work or of a question that read IDLE, in words. */
  readonly falseRest: readonly string[];
  /** Screens that are in doubt, such as drafts and pages that cover the composer, and read IDLE, in words. */
  readonly falseTrust: readonly string[];
  /** Screens that read WAITING and did not before, in words. */
  readonly falseWait: readonly string[];
  /** How many screens of rest there were, and how many of them are UNCERTAIN. */
  readonly rest: number;
  readonly unsure: number;
}

/** Screens whose state the title alone shows. */
const titleAlone = /\/osc-title-working$/;

/** Screens in doubt of which nothing but what is changed shows why: a title, colours, the words of a page. */
const changedAlone = /\/(?:osc-title-blocked-at-rest|unknown-row-title|menu-leader\S*|menu-floating-fork|\S+-cut-off)$/;

/** How many threes each screen goes through, unless it goes through all. */
const fewThrees = 3;

/** Every three different kinds of change, each in the order of the table. */
const everyThree = mutations.flatMap((first, at) =>
  mutations
    .slice(at + 1)
    .flatMap((second, next) => mutations.slice(at + next + 2).map((third) => together([first, second, third]))),
);

/** Every recorded and every golden screen of a CLI that a model drives. */
export function changeable(): KnownScreen[] {
  const goldens = loadGoldens().map((golden) => ({ ...golden, name: `${golden.harness}/${golden.name}` }));
  return [...loadSamples(), ...goldens].filter(({ harness }) => harness !== 'shell');
}

/** Changes screens by each kind of change alone, and by three kinds together: by every three, or by a few for each. */
export function outcomesOf(screens: readonly KnownScreen[], threes: 'every' | 'few'): Outcome[] {
  const before = readAll(screens);
  const alone = mutations.map((mutation) => outcomeOf(mutation.name, before, () => [mutation]));
  return [...alone, outcomeOf('three of them together', before, threes === 'every' ? () => everyThree : fewFor)];
}

function fewFor({ name }: KnownScreen): Mutation[] {
  const dice = new Dice(name);
  return Array.from({ length: fewThrees }, () => together(dice.three(mutations)));
}

function outcomeOf(
  name: string,
  before: readonly ReadScreen[],
  changesOf: (screen: KnownScreen) => readonly Mutation[],
): Outcome {
  const seen = before.flatMap(({ screen, reading }) =>
    changesOf(screen).flatMap((mutation) => {
      // Without its title nothing is left of what such a screen shows.
      if (mutation.name.includes(noTitle) && titleAlone.test(screen.name)) return [];
      const capture = mutation.change(screen, new Dice(`${mutation.name} ${screen.name}`));
      const { state, rule } = read(screensOf(builtIn, screen.harness), capture);
      const told = `${screen.name} with ${mutation.name}: ${word(screen.state)} read as ${word(state)} by ${rule}`;
      return {
        was: screen.state,
        before: reading.state,
        state,
        told,
        name: screen.name,
        isChanged: !isDeepStrictEqual(capture, screen.capture),
      };
    }),
  );
  const busy = seen.filter(({ was }) => was === 'AGENT_STATE_THINKING' || was === 'AGENT_STATE_WAITING');
  const rest = seen.filter(({ was }) => was === 'AGENT_STATE_IDLE');
  return {
    name,
    changed: seen.filter(({ isChanged }) => isChanged).length,
    busy: busy.length,
    kept: busy.filter(({ was, state }) => state === was).length,
    falseRest: busy.filter(({ state }) => state === 'AGENT_STATE_IDLE').map(({ told }) => told),
    falseTrust: seen
      .filter(
        ({ was, state, name: one }) =>
          was === 'AGENT_STATE_UNCERTAIN' && state === 'AGENT_STATE_IDLE' && !changedAlone.test(one),
      )
      .map(({ told }) => told),
    falseWait: seen
      .filter(({ state, before }) => state === 'AGENT_STATE_WAITING' && before !== state)
      .map(({ told }) => told),
    rest: rest.length,
    unsure: rest.filter(({ state }) => state === 'AGENT_STATE_UNCERTAIN').length,
  };
}
