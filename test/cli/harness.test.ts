import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { HarnessFile } from '#contract/pane/harness-file.ts';
import { readHarnessFile } from '#machines/harness/read-file.ts';
import { builtIn } from '#machines/harness/table.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';
import { runInside } from './command-line.ts';

interface Listed {
  readonly name: string;
  readonly command: string;
  readonly program?: string;
  readonly ruleCount: number;
  readonly rules: {
    readonly file?: string;
    readonly faults: readonly { readonly line: number }[];
    readonly version: string;
  };
}

describe('muster harness', () => {
  let home: TemporaryFolder;
  const rulesFile = (name: string) => join(home.path, 'rules', `${name}.json`);

  beforeEach(() => {
    home = temporaryFolder('harness');
  });
  afterEach(() => home.remove());
  const harness = (...argv: string[]) => runInside(['harness', ...argv], { env: { MUSTER_HOME: home.path } });
  const list = async () => JSON.parse((await harness('ls', '-o', 'json')).out) as Listed[];

  it('ls lists built-in and added ones', async () => {
    expect((await list()).map(({ name }) => name)).to.deep.equal(builtIn.all().map(({ name }) => name));
    await harness('add', 'house-agent', '--program', 'bash');
    const added = (await list()).at(-1);
    expect(added).to.deep.include({ name: 'house-agent', command: 'bash' });
    expect(added?.program).to.match(/\/bash$/);
    expect(added?.rules.file).to.equal(rulesFile('house-agent'));
    expect((await harness('ls', '-o', 'table')).out).to.match(
      /^house-agent +\S+\/bash +\d+ +[0-9a-f]{12} +unknown +\S+\.json$/m,
    );
  });

  for (const like of [undefined, 'claude', 'opencode']) {
    it(`add writes a file that holds as it is${like ? `, like ${like}` : ''}`, async () => {
      const { code, out } = await harness('add', 'house-agent', ...(like ? ['--like', like] : []), '-o', 'json');
      expect(code).to.equal(0);
      expect(JSON.parse(out)).to.deep.include({
        name: 'house-agent',
        path: rulesFile('house-agent'),
        confirmed: false,
      });
      const text = readFileSync(rulesFile('house-agent'), 'utf8');
      expect(HarnessFile.safeParse(JSON.parse(text)).success).to.equal(true);
      const reading = readHarnessFile('house-agent', text, builtIn, isSlowPattern);
      expect('harness' in reading && reading.harness.command).to.equal('house-agent');
    });
  }

  for (const { what, argv, code } of [
    { what: 'a name that is none', argv: ['Big Name'], code: 2 },
    { what: 'a name that leads elsewhere', argv: ['../evil'], code: 2 },
    { what: 'a name that is built in', argv: ['claude'], code: 5 },
    { what: 'another one that is not built in', argv: ['house', '--like', 'vim'], code: 2 },
  ]) {
    it(`add refuses ${what}`, async () => {
      expect((await harness('add', ...argv)).code).to.equal(code);
    });
  }

  it('add refuses to overwrite a file', async () => {
    await harness('add', 'house-agent');
    writeFileSync(rulesFile('house-agent'), '{}');
    expect((await harness('add', 'house-agent')).code).to.equal(5);
    expect(readFileSync(rulesFile('house-agent'), 'utf8')).to.equal('{}');
  });

  it('check lists valid files, and the line and reason of invalid ones', async () => {
    expect(await harness('check', '-o', 'table')).to.deep.include({ code: 0, out: 'There are no rules files\n' });
    await harness('add', 'house-agent', '--program', 'bash');
    expect((await harness('check', '-o', 'table')).out).to.match(
      /^house-agent is in use: \d+ rules .*; it runs \S+bash\n {2}what it launches takes effect once a person has run muster harness confirm house-agent; the service is not/,
    );
    writeFileSync(rulesFile('claude'), '{\n  "disable": [\n    "claude/none",\n    "claude/rest"\n  ]\n}\n');
    const { code, out } = await harness('check', '-o', 'table');
    expect(code).to.equal(1);
    expect(out).to.include(
      `claude is refused, and the built-in version stays in use:\n  ${rulesFile('claude')}:3: disable[0]: there is no rule claude/none\n`,
    );
    expect((await harness('check', 'house-agent')).code).to.equal(0);
    expect((await harness('check', 'claude')).code).to.equal(1);
    expect((await harness('check', 'claud')).err).to.include('did you mean claude?');
  });

  it('check reports a missing program, and a file whose name is not a harness’s', async () => {
    await harness('add', 'house-agent', '--program', '/nowhere/house');
    const missing = await harness('check', '-o', 'table');
    expect(missing).to.deep.include({ code: 1 });
    expect(missing.out).to.include('/nowhere/house, which is not on the PATH');
    mkdirSync(join(home.path, 'rules'), { recursive: true });
    writeFileSync(rulesFile('Big Name'), '{}');
    expect((await harness('check', '-o', 'table')).out).to.include('Big Name is refused, and nothing stays in use');
  });
});
