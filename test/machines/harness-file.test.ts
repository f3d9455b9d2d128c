import { expect } from 'chai';
import type { Harness } from '#machines/harness/definition.ts';
import { readHarnessFile } from '#machines/harness/read-file.ts';
import { builtIn } from '#machines/harness/table.ts';

const fast = () => false;
const textOf = (value: unknown): string => JSON.stringify(value, null, 2);

function harnessFrom(name: string, value: object): Harness {
  const reading = readHarnessFile(name, textOf(value), builtIn, fast);
  if ('harness' in reading) return reading.harness;
  throw new Error(JSON.stringify(reading.faults));
}

function faultsOf(name: string, text: string, isSlow = fast as (pattern: string) => boolean) {
  const reading = readHarnessFile(name, text, builtIn, isSlow);
  return 'faults' in reading ? reading.faults.map(({ line, reason }) => `${line}: ${reason}`) : [];
}

const rule = (id: string, more: object = {}) => ({
  id,
  priority: 900,
  state: 'AGENT_STATE_WAITING',
  reason: 'question',
  all: [{ in: 'screen', row: '^Really\\?' }],
  ...more,
});

describe('a rules file for a built-in harness', () => {
  const claude = builtIn.find('claude');

  it('adds rules, replaces others by id, and disables some', () => {
    const { screens } = harnessFrom('claude', {
      about: 'ours',
      rules: [rule('house/really'), rule('claude/viewer', { priority: 1 })],
      disable: ['claude/help'],
    });
    const ids = screens.rules.map(({ id }) => id);
    const were = claude?.screens.rules.map(({ id }) => id) ?? [];
    expect(ids).to.deep.equal([...were.filter((id) => id !== 'claude/help'), 'house/really']);
    expect(screens.rules.find(({ id }) => id === 'claude/viewer')?.priority).to.equal(1);
    expect(screens.layout).to.deep.equal(claude?.screens.layout);
  });

  it('changes parts of the layout and of the launch, and leaves the rest', () => {
    const changed = harnessFrom('claude', {
      layout: { stale: '^bye' },
      launch: { command: '/opt/claude', env: { HOUSE: '1' } },
    });
    expect(changed.screens.layout).to.deep.equal({ ...claude?.screens.layout, stale: '^bye' });
    expect(changed).to.deep.include({ command: '/opt/claude', start: claude?.start, resume: claude?.resume });
    expect(changed.env).to.deep.equal({ HOUSE: '1' });
    const stopped = harnessFrom('claude', { launch: { interrupt: { key: 'C-c', presses: 1 } } });
    expect(stopped).to.deep.equal({ ...claude, interrupt: { key: 'C-c', presses: 1 } });
  });

  it('may be empty', () => {
    expect(harnessFrom('claude', {})).to.deep.equal(claude);
  });
});

describe('a rules file for a new harness', () => {
  it('needs only a program, and then reads by the general rules', () => {
    const harness = harnessFrom('house-agent', { launch: { command: 'house', start: ['--now'] } });
    expect(harness).to.deep.include({ name: 'house-agent', command: 'house', start: ['--now'], resume: ['--now'] });
    expect(harness.screens.rules.map(({ id }) => id)).to.include.members([
      'pane/dead',
      'pane/exited',
      'composer/draft',
    ]);
  });

  it('may be based on a built-in one', () => {
    const gemini = builtIn.find('gemini');
    const harness = harnessFrom('our-gemini', { like: 'gemini', launch: { command: 'ours' } });
    expect(harness).to.deep.include({ name: 'our-gemini', command: 'ours', start: gemini?.start });
    expect(harness.screens).to.deep.equal({ ...gemini?.screens, harness: 'our-gemini' });
  });

  it('counts as a coding agent if it declares that or is based on one', () => {
    const launch = { command: 'ours' };
    const isCoding = (file: object) => harnessFrom('ours', { launch, ...file }).codingAgent;
    expect(isCoding({})).to.equal(false);
    expect(isCoding({ codingAgent: true })).to.equal(true);
    expect(isCoding({ like: 'gemini' })).to.equal(true);
    expect(isCoding({ like: 'gemini', codingAgent: false })).to.equal(false);
    expect(isCoding({ like: 'shell' })).to.equal(false);
    const none = builtIn.all().filter(({ codingAgent }) => !codingAgent);
    expect(none.map(({ name }) => name)).to.deep.equal(['shell']);
  });
});

describe('a refused rules file reports line and reason', () => {
  for (const { what, name = 'claude', text, says } of [
    { what: 'no JSON', text: '{\n  "rules": [\n    oops\n  ]\n}', says: /^3: it is not JSON: Unexpected token/ },
    { what: 'an end that is missing', text: '{\n  "rules": [\n', says: /^2: it is not JSON: .*end/ },
    { what: 'no object', text: '[]', says: /^1: the file: .*expected object/ },
    { what: 'an unknown key', text: '{\n\n  "ruls": []\n}', says: /^1: the file: Unrecognized key: "ruls"/ },
    {
      what: 'a rule without a state',
      text: textOf({ rules: [rule('a/b'), { ...rule('a/c'), state: undefined }] }),
      says: /^15: rules\[1\]\.state: Invalid option/,
    },
    {
      what: 'a region that is none',
      text: textOf({ rules: [rule('a/b', { all: [{ in: 'somewhere' }] })] }),
      says: /^10: rules\[0\]\.all\[0\]\.in: Invalid option/,
    },
    {
      what: 'a pattern that is none',
      text: textOf({ rules: [rule('a/b', { all: [{ in: 'screen', row: '(' }] })] }),
      says: /^11: rules\[0\]\.all\[0\]\.row: is not a valid regular expression.*: \($/,
    },
    {
      what: 'a pattern that could take for ever',
      text: textOf({ layout: { stale: '(a+)+$' } }),
      says: /^3: layout\.stale: repeats a part that contains an unbounded repetition/,
    },
    {
      what: 'a rule that is there twice',
      text: textOf({ rules: [rule('a/b'), rule('a/b')] }),
      says: /^16: rules\[1\]\.id: a\/b is listed twice/,
    },
    {
      what: 'a disabled rule that is not there',
      text: textOf({ disable: ['claude/none'] }),
      says: /^3: disable\[0\]: there is no rule claude\/none/,
    },
    {
      what: 'a disabled rule that is given again',
      text: textOf({ rules: [rule('claude/rest')], disable: ['claude/rest'] }),
      says: /claude\/rest is given again in rules/,
    },
    {
      what: 'a built-in harness to be a coding agent',
      name: 'shell',
      text: '{\n"codingAgent": true\n}',
      says: /^2: codingAgent: shell is built in/,
    },
    { what: 'another one to be like', text: '{\n"like": "codex"\n}', says: /^2: like: claude is built in/ },
    {
      what: 'an unknown one to be like',
      name: 'new',
      text: '{\n"like": "vim"\n}',
      says: /^2: like: vim is not built in: name one of claude/,
    },
    {
      what: 'a new harness without a program',
      name: 'new',
      text: '{}',
      says: /^1: launch: new is not built in: name its program/,
    },
  ]) {
    it(`for ${what}`, () => {
      expect(faultsOf(name, text)[0]).to.match(says);
    });
  }

  it('for a pattern that is slow on a hard row', () => {
    const text = textOf({ rules: [rule('a/b', { none: [{ in: 'tail', text: 'x.*y' }] })] });
    const slow = faultsOf('claude', text, (pattern) => pattern === 'x.*y');
    expect(slow).to.have.length(1);
    expect(slow[0]).to.match(/^17: rules\[0\]\.none\[0\]\.text: takes too long/);
  });

  it('for up to ten errors at once', () => {
    const text = textOf({ disable: Array.from({ length: 20 }, (_, place) => `no/such-${place}`) });
    expect(faultsOf('claude', text)).to.have.length(10);
  });
});

describe('a rules file based on another CLI’s', () => {
  it('does not inherit the version query and the recorded version', () => {
    const like = builtIn.find('claude');
    expect(like?.versionArgs).not.to.equal(undefined);
    const harness = harnessFrom('acme', { like: 'claude' });
    expect(harness.versionArgs).to.equal(undefined);
    expect(harness.recordedWith).to.equal(undefined);
    expect(harnessFrom('acme', { like: 'claude', launch: { versionArgs: ['-V'] } }).versionArgs).to.deep.equal(['-V']);
  });
});
