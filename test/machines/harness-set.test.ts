import { expect } from 'chai';
import type { FoundRuleFile } from '#contract/pane/harness-file.ts';
import { harnessSetOf } from '#machines/harness/harness-set.ts';
import { builtIn } from '#machines/harness/table.ts';

const willing = {
  isSlow: () => false,
  objectionTo: () => undefined,
  digestOf: (launch: string) => `digest of ${launch}`,
  isConfirmed: () => true,
};
const file = (harness: string, text: string | undefined, fault = ''): FoundRuleFile => ({
  harness,
  path: `/rules/${harness}.json`,
  text,
  fault,
});
const good = file('claude', '{ "disable": ["claude/help"] }');
const bad = file('claude', '{ "disable": ["claude/helpp"] }');
const added = file('house-agent', '{ "launch": { "command": "house" } }');
const names = (book: ReturnType<typeof harnessSetOf>) => book.all().map(({ name }) => name);

describe('the book of harnesses', () => {
  const builtInNames = builtIn.all().map(({ name }) => name);
  const rulesOf = (book: ReturnType<typeof harnessSetOf>) => book.find('claude')?.screens.rules.length;
  const all = builtIn.find('claude')?.screens.rules.length ?? 0;

  it('is the built-in one without files', () => {
    const book = harnessSetOf(builtIn, [], willing);
    expect(book.all()).to.deep.equal(builtIn.all());
  });

  it('replaces harnesses in place, and adds new ones at the end', () => {
    const book = harnessSetOf(builtIn, [good, added], willing);
    expect(names(book)).to.deep.equal([...builtInNames, 'house-agent']);
    expect(rulesOf(book)).to.equal(all - 1);
    expect(book.files.map(({ faults, instead }) => [faults.length, instead])).to.deep.equal([
      [0, undefined],
      [0, undefined],
    ]);
  });

  it('keeps a file’s earlier content while it is refused, and drops it once the file is gone', () => {
    const before = harnessSetOf(builtIn, [good, added], willing);
    const refused = harnessSetOf(builtIn, [bad, file('house-agent', 'oops')], willing, before);
    expect(rulesOf(refused)).to.equal(all - 1);
    expect(refused.find('house-agent')?.command).to.equal('house');
    expect(refused.files.map(({ instead }) => instead)).to.deep.equal(['its previous version', 'its previous version']);
    const gone = harnessSetOf(builtIn, [], willing, refused);
    expect(names(gone)).to.deep.equal(builtInNames);
    expect(rulesOf(gone)).to.equal(all);
  });

  it('keeps the built-in rules if a file was never valid', () => {
    const book = harnessSetOf(builtIn, [bad, file('house-agent', undefined, 'it cannot be read')], willing);
    expect(book.files).to.deep.equal([
      {
        harness: 'claude',
        path: '/rules/claude.json',
        faults: [{ line: 1, reason: 'disable[0]: there is no rule claude/helpp' }],
        instead: 'the built-in version',
        launch: undefined,
      },
      {
        harness: 'house-agent',
        path: '/rules/house-agent.json',
        faults: [{ line: 1, reason: 'it cannot be read' }],
        instead: 'nothing',
        launch: undefined,
      },
    ]);
    expect(rulesOf(book)).to.equal(all);
    expect(book.find('house-agent')).to.equal(undefined);
  });

  it('drops rejected rules', () => {
    const before = harnessSetOf(builtIn, [good], willing);
    const objecting = { ...willing, objectionTo: () => 'too slow' };
    const book = harnessSetOf(builtIn, [good], objecting, before);
    expect(rulesOf(book)).to.equal(all);
    expect(book.files[0]).to.deep.include({
      faults: [{ line: 1, reason: 'too slow' }],
      instead: 'the built-in version',
    });
  });

  describe('without confirmed launches', () => {
    const nobody = { ...willing, isConfirmed: () => false };
    const book = (text: object, harness = 'claude') =>
      harnessSetOf(builtIn, [file(harness, JSON.stringify(text))], nobody);
    const launch = { command: 'evil', start: ['-x'], env: { A: '1' }, variables: ['AWS_*'], takesPromptsAtWork: false };

    it('launches the built-in way, and reads screens by the file', () => {
      const found = book({ launch, disable: ['claude/help'] }).find('claude');
      const { screens, ...rest } = builtIn.find('claude') ?? { screens: undefined };
      expect(found).to.deep.include(rest);
      expect(found?.screens.rules.length).to.equal((screens?.rules.length ?? 0) - 1);
    });

    it('launches no added harness, and passes nothing to it', () => {
      for (const file of [{ launch }, { like: 'claude', launch }, { like: 'claude' }]) {
        const { isUnconfirmed, start, env, variables } = book(file, 'house').find('house') ?? {};
        expect({ isUnconfirmed, start, env, variables }).to.deep.equal({
          isUnconfirmed: true,
          start: [],
          env: {},
          variables: undefined,
        });
      }
    });

    it('needs no confirmation if the file only reads screens', () => {
      expect(book({ disable: ['claude/help'], launch: {} }).files[0]?.launch).to.equal(undefined);
    });

    it('identifies a launch by all of its words, however the file is written', () => {
      const digest = (text: object, harness = 'house') => book(text, harness).files[0]?.launch?.digest;
      const one = digest({ about: 'x', launch: { command: 'a', env: { A: '1', B: '2' } } });
      expect(digest({ disable: [], launch: { env: { B: '2', A: '1' }, command: 'a' } })).to.equal(one);
      const others = [
        digest({ launch: { command: 'a', env: { A: '1', B: '3' } } }),
        digest({ launch: { command: 'a', env: { A: '1', B: '2' }, start: [] } }),
        digest({ like: 'claude', launch: { command: 'a', env: { A: '1', B: '2' } } }),
        digest({ launch: { command: 'a', env: { A: '1', B: '2' } } }, 'claude'),
      ];
      expect(new Set([one, ...others]).size).to.equal(5);
    });

    it('refuses a launch that is too long to read', () => {
      const { files } = book({ launch: { command: 'a', start: ['x'.repeat(20_000)] } }, 'house');
      expect(files[0]?.faults[0]?.reason).to.include('longer than 16384 characters');
    });
  });
});
