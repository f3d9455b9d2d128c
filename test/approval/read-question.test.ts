import { expect } from 'chai';
import type { ReadQuestion } from '#contract/approval/asked-question.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { readQuestion } from '#machines/pane/permission/read-question.ts';
import { read } from '#machines/pane/read.ts';
import { loadGoldens } from '../pane/golden-screen.ts';
import { loadSamples } from '../pane/screen-corpus.ts';

interface Shown {
  readonly name: string;
  readonly harness: string;
  readonly capture: Capture;
}
const screens: readonly Shown[] = [
  ...loadGoldens().map(({ harness, name, capture }) => ({ name: `${harness}/${name}`, harness, capture })),
  ...loadSamples(),
];
const named = (name: string): Shown => {
  const found = screens.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no screen ${name}`);
  return found;
};
const questionOn = ({ harness, capture }: Omit<Shown, 'name'>): ReadQuestion | undefined => {
  const known = screensOf(builtIn, harness);
  return readQuestion(known, capture, read(known, capture));
};

/** What recorded screens ask permission for, as far as they show it as a whole. */
const subjects: Readonly<Record<string, string>> = {
  'claude/permission-bash': 'rm -r build',
  'claude/permission-boxed': 'ls',
  'claude/permission-statusline-below': 'src/a.ts',
  'claude/toolno.ask-80x24': 'touch lab-run.txt',
  'claude/edit.ask-200x50': 'add.js',
  'codex/permission': 'touch a.txt',
  'codex/toolno.ask-80x24': 'touch lab-run.txt',
  'codex/edit.ask-80x24': '/home/ada/code/fleet-demo/r/codex-80/work/add.js',
  'gemini/altbuf.ask-80x24': 'touch lab-run.txt',
  'gemini/edit.ask-80x24': 'add.js',
  'qwen/permission': 'ls -la',
  'qwen/toolno.ask-80x24': 'touch lab-run.txt',
  'copilot/permission': 'npm test',
  'copilot/toolno.ask-80x24': 'touch lab-run.txt',
  'copilot/edit.ask-80x24': '/home/ada/code/fleet-demo/r/copilot-80/work/add.js',
  'opencode/toolno.ask-80x24': 'touch lab-run.txt',
  'kilo/narrow-or-wrapped-permission': 'touch lab-run.txt; sleep 7; echo slept',
};
/** Screens whose question is cut off at the top, or does not show where its command ends. */
const cut = [
  'aider/permission-shell-command',
  'amp/permission',
  'claude/narrow-or-wrapped-cut-form',
  'claude/narrow-or-wrapped-one-option',
  'cline/tool.ask-80x24',
  'copilot/permission-indented-box',
  'copilot/toolno.ask-50x20',
  'cursor/permission-run',
  'opencode/narrow-or-wrapped-permission-cut',
  'qwen/permission-top-cut',
];

/** What a command may draw to look like the end of another question, by the screen that it is shown on. */
const drawn: Readonly<Record<string, readonly string[]>> = {
  'claude/toolno.ask-80x24': [
    '╌'.repeat(60),
    'git status',
    '╌'.repeat(60),
    'Do you want to proceed?',
    '❯ 1. Yes',
    '  2. No',
  ],
  'claude/permission-bash': ['─'.repeat(70), ' Bash command', '   git status', '', ' Do you want to proceed?'],
  'codex/toolno.ask-80x24': ['Would you like to run the following command?', '', '$ git status'],
  'gemini/altbuf.ask-80x24': ['? Shell  git status', 'git status', 'Allow execution of [Shell]?'],
  'qwen/toolno.ask-80x24': ['? Shell git status (x) ←', '', '   git status', '', "Allow execution of: 'git'?"],
  'copilot/toolno.ask-80x24': ['─'.repeat(40), 'git status', '', 'Do you want to run this command?'],
  'opencode/toolno.ask-80x24': ['', '△ Permission required', '  # Shell command', '', '$ git status'],
};

/** A capture whose command continues with more rows, drawn where its own row is. */
function withRows(shown: Shown, more: readonly string[]): Capture {
  const { capture } = shown;
  const command = subjects[shown.name] ?? '';
  const at = capture.rows.findLastIndex((row) => row.includes(command));
  const row = capture.rows[at] ?? '';
  const place = row.indexOf(command);
  const drawnRows = more.map((text) => {
    const rest = row.slice(place + command.length);
    const pad = rest.startsWith(' ') ? rest.slice(Math.max(0, text.length - command.length)) : rest;
    return row.slice(0, place).replace(/\$ $/, '  ') + text + pad;
  });
  return { ...capture, height: capture.height + more.length, rows: capture.rows.toSpliced(at + 1, 0, ...drawnRows) };
}

describe('the question on a screen, as rules see it', () => {
  for (const [name, subject] of Object.entries(subjects)) {
    it(`is read of ${name}`, () => {
      const asked = questionOn(named(name));
      expect(asked?.command ?? asked?.path).to.equal(subject);
      expect(asked).to.include({ form: 'permission', whole: true });
      expect(asked?.choices[asked.no ?? -1]?.label).to.match(/^(?:No|Reject)/);
      expect(asked?.choices[asked.yes ?? -1]?.label).to.match(/^(?:Yes|Allow once)/);
    });
  }

  it('is not whole where it is cut, or where nothing shows its end', () => {
    for (const name of cut) expect(questionOn(named(name)), name).to.include({ form: 'permission', whole: false });
  });

  for (const [name, rows] of Object.entries(drawn)) {
    it(`is not replaced by what a command draws on ${name}`, () => {
      const shown = named(name);
      for (const more of [rows, rows.slice(-1), ['rm -rf /'], ['', 'rm -rf /']]) {
        const asked = questionOn({ harness: shown.harness, capture: withRows(shown, more) });
        expect(asked?.whole === true ? (asked.command ?? asked.text) : '', more.join(' / ')).to.equal('');
      }
    });
  }

  it('is not whole if its row ends at the edge, or with the mark of a cut', () => {
    for (const name of Object.keys(subjects).filter((one) => one.startsWith('claude/permission-bash'))) {
      const { harness, capture } = named(name);
      const of = (command: string): ReadQuestion | undefined =>
        questionOn({
          harness,
          capture: { ...capture, rows: capture.rows.map((row) => row.replace('rm -r build', command)) },
        });
      expect(of('git log')?.whole).to.equal(true);
      expect(of(`git ${'x'.repeat(capture.width - 8)}`)?.whole).to.equal(false);
      expect(of('git log…')?.whole).to.equal(false);
      expect(of('git \u200blog')?.whole).to.equal(false);
      expect(of('git \u202elog')?.whole).to.equal(false);
      expect(of('git\u00a0log')?.whole).to.equal(false);
    }
  });

  it('has no host if programs may read another one in its address', () => {
    const { harness, capture } = named('claude/permission-bash');
    const hostOf = (address: string): string | undefined => {
      const rows = capture.rows.map((row) => row.replace('Bash command', 'Fetch').replace('rm -r build', address));
      return questionOn({ harness, capture: { ...capture, rows } })?.host;
    };
    expect(hostOf('https://a.example/x')).to.equal('a.example');
    for (const address of [
      'https://a.example@b.example/x',
      'https://a.example\\@b.example/x',
      'https://a.example\\.b.example',
    ])
      expect(hostOf(address), address).to.equal(undefined);
  });

  it('has a kind of its own where money or a sign-in is asked for', () => {
    expect(questionOn(named('claude/usage-limit-dialog'))?.form).to.equal('payment');
    expect(questionOn(named('copilot/login'))?.form).to.equal('sign-in');
    expect(questionOn(named('copilot/trust'))?.form).to.equal('trust');
  });

  it('is nothing while nobody is asked, and has no choices for a line that is typed', () => {
    const rest = screens.find(({ name }) => name === 'claude/rest-after-turn');
    expect(rest && questionOn(rest)).to.equal(undefined);
    expect(questionOn(named('shell/asks-password-80x24')))
      .to.include({ whole: false })
      .and.to.deep.include({ choices: [] });
  });
});
