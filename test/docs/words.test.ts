import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);

/** Words of a dialect that this project once had, and what a reader expects in their place. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b(told|tells|tell)\b/i, 'report, notify, publish, show'],
  [/\blives\b/i, 'instances; is running, is kept'],
  [/\bsights?\b/i, 'observation; visible'],
  [/\b(coroner|roll ?call)\b/i, 'death detector, liveness sweep'],
  [/\bobituary\b/i, 'exit reason'],
  [/\b(typist|ringer)\b/i, 'input driver, doorbell sender'],
  [/\bpatiently\b/i, 'retry'],
  [/\b(calledOff|called off)\b/i, 'cancelled'],
  [/\bfamiliar\b/i, 'known'],
  [/\b(courier|strangers?)\b/i, 'notification sender, unauthenticated'],
  [/\breckon(s|ed)?\b/i, 'compute, expect'],
  [/\b(most|least|usual)[A-Z]\w*/, 'max…, min…, default…'],
  [/\b[a-z]\w*(?<!at|At)(Most|Least)\b/, 'max…, min…'],
  [/\bis like that\b/i, 'no matches'],
  [/\b(undefined|empty|nothing|unset|null|false) where\b|\bonly where (it is|there|that|nothing|a|no)\b/i, 'if'],
  [/@throws\b(?!.*, where,).*\bwhere\b/, '@throws CODE when …'],
  [/\bthrows (`\w+` )?where\b/i, '@throws CODE when …'],
  [/@throws (Failure )?`[a-z_]+`/, '@throws CODE when …, in the capitals of the contract'],
  [/\banew\b/i, 'again, start over'],
  [/\bamiss\b/i, 'wrong'],
  [/\bsees? to it that\b/i, 'ensures that'],
  [/\bwrit(es?|ten) (it |them )?down\b/i, 'records, saves'],
  [/\b(comes?|came) of it\b/i, 'its result, the resulting …'],
  [/\bthat nobody foresaw\b/i, 'unexpectedly'],
  [/\bheard of (at|since|for)\b/i, 'heard from'],
  [/\bput back (from )?a copy\b/i, 'restored'],
  [/['"`\s](is|are) no (folder|key|JSON|name|number|coding agent|orchestrator)\b/, 'is not a …'],
  [/\bwhat (it|that|each) came to\b.*['"`]/, 'the result'],
  [/['"`].*\b(carr(y|ies) on with|comes round|mended? the)\b/i, 'continue, fix'],
  [/['"`].*\b(1|one) (rounds|comments|warnings)\b/, 'counted(count, noun)'],
  [
    /['"`].*\b(not come yet|is warned of|things were looked at|a bus of yours)\b/,
    'notified, warning, checks, your own',
  ],
  [/\bmove(Repository|Bell|Firing|Batch|Schedule|Line)\b/, 'advance…, transition…'],
  [/\b(nothing|nothingCame|among|why|lack|asks|wanting|stays|gone|wrong|raises|coming|atWork|self|wire)Of\b/, 'a verb'],
];

/** Where such a word is right: it is stored, on the wire, on somebody else's screen, or plain English. */
const allowed: readonly (readonly [string, RegExp])[] = [
  ['machines/doorbell/doorbell.ts', /\btold\b/i],
  ['actors/registry/doorbell/doorbell-handlers.ts', /'TOLD'/],
  ['actors/registry/forge/', /\btold\b/],
  ['src/store/forge/', /\btold\b/],
  ['src/store/agent/agent-journal.ts', /\btold\b/],
  ['machines/pane/harness/', /tell Co/],
  ['src/page/answer/prompt-box.tsx', /Tell \$\{name\} what to do/],
  ['src/page/api/session.ts', /tells this browser/],
  ['', /tell (a|the) person/],
  ['', /\blives\b(?=[:,\]]| }|: \[)|'lives'|(rows|muster_machine_instances): lives|page\.lives/],
];

/** Turns of phrase that the documentation once had, and what a reader of the field expects. */
const turns: readonly (readonly [RegExp, string])[] = [
  [/\b(is|are|was|were|be|been) told\b|\btells\b/i, 'shows, reports, says'],
  [/\bby (itself|themselves)\b/i, 'automatically, on its own, separately'],
  [/\bin vain\b/i, 'without success'],
  [/\bon line\b(?! \d)/i, 'online'],
  [/\b(?<!mail as )(taken|takes?|took) in\b(?! (order|the write|one))/i, 'admitted'],
  [/\blook(ed|s)? (at|into) (by|again|since)\b|\b(is|are|was|were) looked at\b/i, 'acknowledged, checked, read'],
  [/\bcarr(y|ies|ied) on\b|\b(go|goes|went) on\b/i, 'continue'],
  [/\b(anew|afresh)\b/i, 'again'],
  [/\bstrangers?\b/i, 'new host, unauthenticated caller'],
  [/\bheard (from|of)\b/i, 'online, sends beats'],
  [/\b(what )?(became|becomes?|came|comes) of\b|\bwhat it came to\b/i, 'the result, what happened to'],
  [/\bcomes? round\b/i, 'at each time of'],
  [/\bsave (for|what)\b|\ball the same\b|\bbut where\b/i, 'except, anyway, unless'],
  [/\b(seen|sees) (to be )?(taken|accepted)\b/i, 'checks that it was accepted'],
  [/\b(hearsay|the moves of|kind of life|one life)\b/i, 'transitions, instances'],
  [/\bfrom what stands\b|\bstands? in the (place|way)\b/i, 'replaces, prevents'],
  [/\b(good|stay good) over restarts\b/i, 'valid across restarts'],
];

/** Turns of phrase that comments, and the titles of tests, once had. */
const habits: readonly (readonly [RegExp, string])[] = [
  [/\b(?:told|tells?)\b/i, 'reports, notifies, shows'],
  [/\b(?:anew|afresh)\b/i, 'again'],
  [/\b(?:written|writes?) down\b/i, 'records'],
  [/\bcall(?:ed|s)? off\b/i, 'cancels'],
  [/\bin vain\b/i, 'without success'],
  [/\bgoes on (?:with|as|while|until)\b|\bcarr(?:y|ies|ied) on\b/i, 'continues'],
  [/\bwhat (?:became|becomes|has become) of\b/i, 'what happened to'],
  [/\bmend(?:s|ed)?\b(?!:)/i, 'fixes'],
  [/\bhears? of\b/i, 'learns of, receives'],
  [/\b(?:what|which) stands? (?!for\b|out\b|in for\b|its |the |before it is\b)/i, 'what is …'],
  [/\bbeside each other\b/i, 'next to each other'],
  [/\btak(?:en|es?) away\b/i, 'removes'],
  [/\bin clear\b/i, 'unencrypted'],
  [/\bonce more\b/i, 'again'],
  [/\bin the place of\b/i, 'instead of'],
  [/\ball the same\b/i, 'anyway'],
  [/@throws\b.*\bwhere\b/, '@throws CODE when …'],
  [/\b(?:nobody|nothing|none) where (?:it|one|none|nobody|there)\b/i, 'if'],
  [/\bwhat (?:\w+ ){1,4}(?:came|comes|come) to\b(?!:)/i, 'the result of'],
  [/\bit is (?:said|reported) (?:why|that|what|which)\b/i, 'reports, shows'],
  [/\b(?:is|are) informed (?:that|so)\b/i, 'gets the error'],
  [/\bby what (?:a|an|the) \w+ says\b/i, 'with the content of'],
];

const sources = ['machines', 'bus', 'actors', 'src', 'examples']
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/^src\/page\/client\/|^src\/store\/migrations\//.test(file))
  .map((file) => ({ file, lines: readFileSync(new URL(file, root), 'utf8').split('\n') }));

const tests = ['test', 'bench']
  .flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.ts$/.test(file) && !/^test\/(docs\/words|pane\/(variants|screens))/.test(file))
  .map((file) => ({ file, lines: readFileSync(new URL(file, root), 'utf8').split('\n') }));

const pages = ['', 'docs/', 'docs/decisions/', 'docs/reference/', 'deploy/'].flatMap((folder) =>
  readdirSync(new URL(folder === '' ? '.' : folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      file: folder + name,
      lines: readFileSync(new URL(folder + name, root), 'utf8').split('\n'),
    })),
);

describe('the words of the documentation', () => {
  for (const [turn, instead] of turns)
    it(`have nothing like ${turn.source}: write ${instead}`, () => {
      const found = pages.flatMap(({ file, lines }) =>
        lines.flatMap((line, at) => (turn.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
      );
      expect(found).to.deep.equal([]);
    });
});

describe('the words of the sources', () => {
  for (const [word, instead] of replacements)
    it(`have nothing like ${word.source}: write ${instead}`, () => {
      const found = sources.flatMap(({ file, lines }) => {
        const isAllowed = (line: string) =>
          allowed.some(([place, right]) => file.startsWith(place) && right.test(line));
        return lines.flatMap((line, at) =>
          word.test(line) && !isAllowed(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
        );
      });
      expect(found).to.deep.equal([]);
    });
});

describe('the words of comments, and of the titles of tests', () => {
  const isComment = /^\s*(?:\/\/|\/?\*)/;
  const isTitle = /^\s*(?:it|describe)(?:\.\w+)?\(['`]/;
  const isAllowed = (file: string, line: string) =>
    allowed.some(([place, right]) => file.startsWith(place) && right.test(line));
  const written = [
    ...sources.map(({ file, lines }) => ({ file, lines: lines.map((line) => (isComment.test(line) ? line : '')) })),
    ...tests.map(({ file, lines }) => ({
      file,
      lines: lines.map((line) => (isComment.test(line) || isTitle.test(line) ? line : '')),
    })),
  ];
  for (const [habit, instead] of habits)
    it(`have nothing like ${habit.source}: write ${instead}`, () => {
      const found = written.flatMap(({ file, lines }) =>
        lines.flatMap((line, at) =>
          habit.test(line) && !isAllowed(file, line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
        ),
      );
      expect(found).to.deep.equal([]);
    });
});
