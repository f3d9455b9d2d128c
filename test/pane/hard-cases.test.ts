import { expect } from 'chai';
import { builtIn } from '#machines/harness/table.ts';
import { loadGoldens } from './golden-screen.ts';

/** What is hard about reading a screen. A golden screen is named after its case, alone or with more behind a hyphen. */
const cases = {
  quoted: 'an answer, or what is pasted, shows a dialog or a status row',
  'stale-scrollback': 'a form, a status row or a composer of an earlier moment stands above',
  'narrow-or-wrapped': 'rows are cut, wrapped, or have lost a side of their box',
  permission: 'a tool call waits for a person',
  plan: 'a plan waits for a person, or plan mode is on',
  question: 'the agent asks a question of its own',
  trust: 'whether the folder is trusted',
  login: 'no account, or a way to sign in',
  setup: 'what is asked before the first prompt',
  'update-prompt': 'a newer version is offered',
  menu: 'a menu that the person opened',
  viewer: 'something covers the live part of the screen',
  typed: 'a draft that was not sent',
  'ghost-suggestion': 'a suggestion in the composer that nobody typed',
  placeholder: 'a placeholder in the composer that reads like a draft',
  'bash-mode': 'the composer takes a command of the shell',
  queued: 'messages wait for the end of the turn',
  background: 'work that goes on after the turn, or does not',
  compaction: 'the conversation is being shortened',
  'error-banner': 'the turn ended with an error, or the answer only speaks of one',
  'rate-limit': 'a limit ended the turn',
  retrying: 'a request is being repeated',
  exited: 'the CLI is gone and its screen is left',
  startup: 'it is still starting',
  empty: 'there is nothing on the screen',
  osc: 'the title or a status sequence tells, or tells nothing, or something else than the screen',
  transition: 'a prompt was sent and nothing has followed it yet',
} as const;
type Case = keyof typeof cases;

/** Cases that a harness does not have, with the reason. */
const without: Readonly<Record<string, Partial<Record<Case, string>>>> = {
  codex: {},
  claude: {},
  gemini: {},
  opencode: {
    trust: 'it asks for no trust',
    setup: 'it asks for nothing before the first prompt',
    'update-prompt': 'it updates itself in silence',
    viewer: 'its dialogs are read as menus',
    'rate-limit': 'it goes on retrying without end',
  },
  copilot: {
    setup: 'trust and sign-in are all that it asks',
    'update-prompt': 'it updates itself in silence',
  },
  qwen: {},
  pi: {
    permission: 'it never asks',
    plan: 'it has no plan mode',
    question: 'it asks nothing',
    trust: 'it asks for no trust',
    setup: 'it asks for nothing before the first prompt',
    'update-prompt': 'it only tells of a newer version',
    viewer: 'nothing is known that covers its composer',
    'ghost-suggestion': 'its composer is blank',
    placeholder: 'its composer is blank',
    background: 'nothing goes on after a turn',
    transition: 'a sent prompt is told from an answer by its colour alone',
  },
  cline: {
    trust: 'it asks for no trust',
    'update-prompt': 'it updates itself in silence',
  },
  aider: {
    plan: 'its architect mode asks as any other edit',
    trust: 'it asks for no trust',
    viewer: 'it writes line after line, and nothing covers them',
    'ghost-suggestion': 'its prompt is bare',
    placeholder: 'its prompt is bare',
    queued: 'it takes nothing while it works',
    background: 'nothing goes on after a turn',
    'rate-limit': 'it retries, and then shows an error like any other',
    osc: 'it sets no title and sends no status',
  },
  cursor: {
    plan: 'its plans are questions in the transcript',
    setup: 'trust and sign-in are all that it asks',
    'update-prompt': 'it updates itself in silence',
    viewer: 'nothing is known that covers its composer',
    transition: 'a sent prompt stands in a box as any other does',
  },
  amp: {
    plan: 'it has no plan mode',
    question: 'it asks in the transcript',
    trust: 'it asks for no trust',
    setup: 'sign-in is all that it asks',
    'update-prompt': 'it updates itself in silence',
    viewer: 'nothing is known that covers its composer',
    placeholder: 'its composer is blank',
    'rate-limit': 'nothing is known of how it tells',
    transition: 'its edge tells from the first frame on',
  },
  kilo: {
    plan: 'its plans are questions',
    trust: 'it asks for no trust',
    setup: 'it asks for nothing before the first prompt',
    'update-prompt': 'it updates itself in silence',
    viewer: 'its dialogs are read as menus',
    'bash-mode': 'a command is a draft like any other',
    'rate-limit': 'it goes on retrying without end',
    transition: 'its footer tells from the first frame on',
    'stale-scrollback': 'it paints the whole pane, and clears it as it ends',
    'ghost-suggestion': 'its placeholder is all that it suggests',
    background: 'it is drawn as by OpenCode, and was not captured',
    compaction: 'it is drawn as by OpenCode, and was not captured',
  },
  droid: {
    quoted: 'every screen is quoted in its answer by another test',
    'stale-scrollback': 'it was not captured',
    plan: 'it was not captured: a model that asks for it is needed',
    question: 'it was not captured: a model that asks for it is needed',
    setup: 'trust and sign-in are all that it asks',
    'update-prompt': 'it updates itself in silence',
    viewer: 'it was not captured',
    'ghost-suggestion': 'it was not captured',
    'bash-mode': 'it was not captured',
    queued: 'it was not captured',
    background: 'it was not captured',
    compaction: 'it was not captured',
    'error-banner': 'it retries a failed request again and again',
    'rate-limit': 'it retries a failed request again and again',
    exited: 'it was not captured',
    transition: 'its row tells from the first frame on',
  },
};

describe('the hard cases of reading a screen', () => {
  const goldens = Map.groupBy(loadGoldens(), ({ harness }) => harness);
  const isOf = (name: string, one: string): boolean => name === one || name.startsWith(`${one}-`);

  for (const harness of builtIn.all().map(({ name }) => name)) {
    // A shell is not a CLI of a model: it has cases of its own.
    if (harness === 'shell') continue;
    it(`have a golden screen of ${harness} each, or a reason why there is none`, () => {
      const names = (goldens.get(harness) ?? []).map(({ name }) => name);
      const missing = Object.keys(cases).filter((one) => !names.some((name) => isOf(name, one)));
      expect(missing.toSorted()).to.deep.equal(Object.keys(without[harness] ?? {}).toSorted());
    });
  }
});
