import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Capture } from '#contract/pane/capture.ts';
import { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { scaffold } from '#machines/harness/scaffold.ts';
import { builtIn } from '#machines/harness/table.ts';
import { findComposer } from '#machines/pane/composer.ts';
import { cliRules } from '#machines/pane/harness/common.ts';
import { read } from '#machines/pane/read.ts';
import { cutRegions } from '#machines/pane/region.ts';
import { parseScreen } from '#machines/pane/screen.ts';
import { someOf } from '#test/support/some-of.ts';
import type { KnownScreen } from './confusion.ts';
import { changeable } from './mutants/mutants.ts';
import { captureOf } from './screen-corpus.ts';

// A CLI whose update draws its work in a new way must not read as at rest, wherever it draws it.

const strange = [
  '◴ Indexing repository',
  '⟳ Compacting (12s)',
  '⠧ Syncing files',
  '◜',
  'Reconnecting… (3s)',
  '~~ syncing ~~',
  'Denke nach (12s)',
  '12s · esc to interrupt',
  '[####----] 43%',
  '▰▰▰▱▱ 43%',
];
/** Words that announce work, without any sign of it. */
const bareWords = [
  'Denke nach',
  'Überlege gerade',
  '思考中',
  '생각 중',
  'denke nach',
  'pensando',
  'Lese src/main.ts',
  'Reading login.ts…',
];
/** What an answer may end with. */
const commands = ['npm test', 'git push', 'make'];
const indents = [0, 1, 2, 3, 5];
/** How far above the composer the end of a turn may be, in rows. */
const near = 8;

/** Between which rows above the composer no answer continues: a CLI could draw its work in any of these places. */
function gapsIn({ harness, capture }: KnownScreen): number[] {
  const { rows } = parseScreen(capture.rows);
  const { layout } = screensOf(builtIn, harness);
  const top = findComposer(rows, layout).lowest?.top ?? 0;
  const first = top - cutRegions(layout, capture).rows.since.length;
  const gaps: number[] = [];
  for (let at = top; at >= Math.max(1, first, top - near); at -= 1) {
    const [above = '', below = ''] = [rows[at - 1]?.text, at === top ? '' : rows[at]?.text];
    if (/\p{L}.*[.!?:)](?: {4}|$)/u.test(below)) break;
    if (above === '' || at === top) gaps.push(at);
  }
  return gaps;
}

function inserted(capture: Capture, at: number, ...added: readonly string[]): Capture {
  const rows = capture.rows.toSpliced(at, 0, ...added.map((row) => `\u001b[0m${row}`));
  return { ...capture, rows, height: Math.max(capture.height, rows.length) };
}

/** What updates could show next to an empty composer while the CLI works, is asked something, or has prompts queued. */
const added: Readonly<Record<string, readonly string[]>> = {
  above: [
    'Working 12s',
    '(12s) Working',
    '생각 중 (12초)',
    'Thinking',
    'Context compaction in progress',
    'Compacting 43%',
    'Press q to halt',
    '[Esc] stop',
    '2 agents working · ↓ to view',
    '1 queued message · ↑ to edit',
    'Allow this command? (y/n)',
    'Erlauben? (j/n)',
    'Press y to approve, n to deny',
    '❯ 1. Yes',
    '[ Yes ]  [ No ]',
    '( ) Yes',
    '○ Yes\n○ No',
    '○ Yes\n● No',
    '⚪ Yes\n🔘 No',
    '→ Yes\n  No',
    '=> Yes\n   No',
    '[x] Yes\n[ ] No',
    '○ Yes   ● No',
    'Yes\n\u001b[7mNo\u001b[27m',
    '\u001b[7m1\u001b[27m Ja\n2 Nein',
    '\u001b[7m1 - Yes, allow\u001b[27m\n2 - No, stop',
    '1 - \u001b[7mYes, allow\u001b[27m\n2 - No, stop',
    '1 - Yes, allow\n\u001b[7m2 - No, stop\u001b[27m',
    '\u001b[7m1+ Yes\u001b[27m\n2+ No',
    '\u001b[7m- 1 Yes\u001b[27m\n- 2 No',
    '- 1 \u001b[7mYes\u001b[27m\n+ 2 No',
    '\u001b[7mJ\u001b[27ma   \u001b[7mN\u001b[27mein',
    '\u001b[7mErlauben\u001b[27m   Ablehnen',
    '\u001b[48;5;24mErlauben\u001b[49m\nAblehnen',
    '\u001b[36mErlauben\u001b[39m\nAblehnen',
    'Allow once\n\u001b[1mAllow always\u001b[22m\nReject',
    'Erlauben   \u001b[36mAblehnen\u001b[39m',
    '12s',
    '3m',
    'in 3s',
    '~3 min left',
    '43% complete',
    '3/7',
    '1.2 MB / 3.4 MB',
    '12 kB/s',
    '↑ 1.2k',
    '...',
    '.',
    '|',
    '/',
    '\\',
    '*',
    '▏▎▍',
    '>>>',
    '[==  ]',
    '~',
    '·····',
    '🤔 Thinking',
    '↓ 1.2k tokens',
    '2 tools running',
    'Running command: npm test',
    'o Working',
    'Approve (a)  Reject (r)',
    '<Yes> <No>',
    '1) Yes 2) No',
    'yes / no',
  ],
  below: [
    '◴ Indexing',
    '⟳ syncing…',
    'Reconnecting… (3s)',
    'Working (12s · esc to interrupt)',
    '12s · esc to interrupt',
    '1 background task running',
    '1 message queued',
    'Allow? (y/n)',
    'y: approve  n: deny',
    '1 approval pending · ctrl+a to review',
    '❯ Yes',
    '2. No',
    '[y] yes  [n] no',
    '▸ /agents   Manage agents',
    '○ Yes\n● No',
    '● Erlauben\n○ Ablehnen',
    '◯ Allow\n◉ Reject',
    '◎ Ja\n◉ Nein',
    '◯ Ja\n⬤ Nein',
    '■ Ja\n□ Nein',
    '◇ Ja\n◆ Nein',
    '☑ Ja\n☐ Nein',
    '○ Yes   ● No',
    'Yes\n\u001b[7mNo\u001b[27m',
    '\u001b[7m1\u001b[27m Ja\n2 Nein',
    '\u001b[7mErlauben\u001b[27m   Ablehnen',
    '\u001b[48;5;24mErlauben\u001b[49m\nAblehnen',
    'Allow once\n\u001b[36mAllow always\u001b[39m\nReject',
    'Thinking hard',
    '/ Working',
    '🤔 Thinking',
    'Agent is thinking',
    'Press ESC',
    'Ctrl-C: stop',
    'Retry in 5s',
    'Waiting for approval',
    'Allow this command?',
    '[A]pprove [R]eject',
  ],
  frame: ['◴ Working', 'Working (12s)', '12s · esc to interrupt'],
  placeholder: ['esc to interrupt', 'Working… (12s)', 'Press up to edit queued messages'],
  title: ['◴ shop', 'Working… shop', '(12s) shop', '⏳ shop'],
};

function withPlaceholder({ harness, capture }: KnownScreen, words: string): Capture {
  const { rows } = parseScreen(capture.rows);
  const prompt = findComposer(rows, screensOf(builtIn, harness).layout).lowest?.prompt;
  const sign = /^[ │]*[❯›>→]/u.exec(prompt?.text ?? '')?.[0];
  const at = prompt === undefined ? -1 : rows.indexOf(prompt);
  if (at < 0 || sign === undefined) return capture;
  return { ...capture, rows: capture.rows.with(at, `\u001b[0m${sign} \u001b[2m${words}\u001b[0m`) };
}

/** Whether it shows the end of a turn, which proves rest whatever the title is. */
function hasEnd({ harness, capture }: KnownScreen): boolean {
  const { known } = screensOf(builtIn, harness).layout;
  return parseScreen(capture.rows).rows.some(({ text }) => known?.ends.some((end) => new RegExp(end, 'u').test(text)));
}

function around(screen: KnownScreen, place: string, words: string): Capture {
  const { harness, capture } = screen;
  if (place === 'title') return { ...capture, title: words };
  const composer = findComposer(parseScreen(capture.rows).rows, screensOf(builtIn, harness).layout).lowest;
  if (composer === undefined) throw new Error(`${screen.name} has no composer`);
  const shown = words.split('\n').map((row) => `  ${row}`);
  if (place === 'above') return inserted(capture, composer.top, ...shown);
  if (place === 'below') return inserted(capture, composer.bottom + 1, ...shown);
  if (place === 'placeholder') return withPlaceholder(screen, words);
  const rows = capture.rows.map((row, at) =>
    at === composer.top ? row.replace(/[─▀▄]{24}/u, (line) => `── ${words} ${line.slice(words.length + 4)}`) : row,
  );
  return { ...capture, rows };
}

describe('a row that no rule knows', () => {
  const rested = changeable().filter(
    ({ harness, capture, state }) =>
      state === 'AGENT_STATE_IDLE' && read(screensOf(builtIn, harness), capture).state === state,
  );

  for (const [harness, group] of Map.groupBy(rested, (screen) => screen.harness)) {
    it(`is no rest at the end of a turn of ${harness}, at any indentation`, () => {
      const wrong = someOf(group, 0, 36).flatMap((screen) =>
        gapsIn(screen).flatMap((gap) =>
          strange.flatMap((words) =>
            indents.flatMap((indent) => {
              const row = ' '.repeat(indent) + words;
              const { state, rule } = read(screensOf(builtIn, harness), inserted(screen.capture, gap, row));
              return state === 'AGENT_STATE_IDLE' ? [`${screen.name} at ${gap}: ${row} (${rule})`] : [];
            }),
          ),
        ),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('is no rest if it is bare words, alone below everything else, in any harness and language', () => {
    const wrong = someOf(rested, 1, 14).flatMap((screen) =>
      bareWords.flatMap((words, turn) => {
        const top = findComposer(parseScreen(screen.capture.rows).rows, screensOf(builtIn, screen.harness).layout)
          .lowest?.top;
        const row = ' '.repeat(indents[turn % indents.length] ?? 0) + words;
        const { state, rule } = read(screensOf(builtIn, screen.harness), inserted(screen.capture, top ?? 0, row));
        return state === 'AGENT_STATE_IDLE' ? [`${screen.name}: ${row} (${rule})`] : [];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('is rest if it is the command with which an answer ends', () => {
    const wrong = someOf(rested, 1, 28).flatMap((screen) =>
      commands.flatMap((words) => {
        const top = findComposer(parseScreen(screen.capture.rows).rows, screensOf(builtIn, screen.harness).layout)
          .lowest?.top;
        if (gapsIn(screen)[0] !== top) return [];
        const shown = inserted(screen.capture, top ?? 0, '', `  ${words}`, '');
        const before = read(screensOf(builtIn, screen.harness), inserted(screen.capture, top ?? 0, '', '  said.', ''));
        const { state, rule } = read(screensOf(builtIn, screen.harness), shown);
        const isKept = state === 'AGENT_STATE_IDLE' || before.state !== 'AGENT_STATE_IDLE';
        return isKept ? [] : [`${screen.name}: ${words} (${rule})`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('is rest if it is a diff that has what changed in reverse video, as pi draws it, also below the answer', () => {
    const diff = [
      ' -3 return \u001b[7mnothing\u001b[27m else',
      ' +3 return \u001b[7ma\u001b[27m \u001b[7mb\u001b[27m else',
    ];
    const wrong = rested
      .filter(({ harness }) => harness === 'pi')
      .flatMap((screen) => {
        const top =
          findComposer(parseScreen(screen.capture.rows).rows, screensOf(builtIn, 'pi').layout).lowest?.top ?? 0;
        const states = [[...diff, '', ' It returns both.'], diff].map(
          (rows) => read(screensOf(builtIn, 'pi'), inserted(screen.capture, top, '', ...rows, '')).state,
        );
        return states.every((state) => state === 'AGENT_STATE_IDLE') ? [] : [`${screen.name}: ${states.join()}`];
      });
    expect(wrong).to.deep.equal([]);
  });

  /** The harness, or the rule if it is one of those that know a limit before a row is doubted. */
  const kindOf = ({ harness, capture }: KnownScreen): string => {
    const { reason, rule } = read(screensOf(builtIn, harness), capture);
    return reason === 'usage-limit' ? rule : harness;
  };
  const firsts = [...Map.groupBy(rested, kindOf).values()].flatMap(
    (group) => group.find((screen) => !hasEnd(screen)) ?? group.slice(0, 1),
  );
  for (const [place, rows] of Object.entries(added)) {
    it(`is no rest in any harness if it shows work or a question, ${place} the composer`, () => {
      const wrong = firsts.flatMap((screen) =>
        rows.flatMap((words) => {
          const capture = around(screen, place, words);
          if (isDeepStrictEqual(capture, screen.capture)) return [];
          const { state, rule } = read(screensOf(builtIn, screen.harness), capture);
          const isDoubted = state === 'AGENT_STATE_UNCERTAIN' || state === 'AGENT_STATE_THINKING';
          // A hint on how to cancel, which a limit has, makes a marked option a question.
          if (state === 'AGENT_STATE_WAITING' && rule === 'claude/selection' && words.startsWith('❯')) return [];
          return isDoubted ? [] : [`${screen.name}: ${words} (${rule})`];
        }),
      );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('is looked for in every harness', () => {
    const coding = builtIn.all().filter(({ codingAgent }) => codingAgent === true);
    expect([...new Set(rested.map(({ harness }) => harness))]).to.have.members(coding.map(({ name }) => name));
    for (const {
      name,
      screens: { layout },
    } of coding)
      expect(layout.known?.signs, name).to.be.a('string');
  });

  it('is no sign of work in a harness file that does not name its signs', () => {
    const { layout, rules = [] } = scaffold({ name: 'house', command: 'house', like: undefined });
    if (layout?.composers === undefined) throw new Error('the scaffold has no composer');
    const screens = HarnessScreens.parse({ harness: 'house', layout, rules: [...cliRules, ...rules] });
    for (const answer of ['● Added it', 'All tests pass']) {
      const shown = ['❯ add a test', '', answer, '', '────────', '❯', '────────', '  house 1.0'];
      const capture = captureOf(shown, { size: '80x24', cursor: '2,5', command: 'house' });
      expect(read(screens, capture).state, answer).to.equal('AGENT_STATE_IDLE');
    }
  });
});
