import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { LearnedHarness, TestedHarness } from '#cli/client/recording.ts';
import { HarnessFile } from '#contract/pane/harness-file.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { runInside, runProgram } from '../command-line.ts';

const acme = fileURLToPath(new URL('./acme-cli.mjs', import.meta.url));
const node = ['--', process.execPath, acme];
const first = ['wait Ask acme', 'rest', 'type hello', 'wait hello', 'draft', 'key Enter', 'wait I have done', 'rest'];
const then = ['type work', 'key Enter', 'wait crunching', 'working', 'key Escape', 'wait Ask acme'];
const last = ['type run', 'key Enter', 'wait allow this time', 'permission', 'key n', 'wait Ask acme', 'rest'];
const shy = ['type shy', 'key Enter', 'wait choice for you', 'selection', 'key x', 'wait Ask acme'];

describe('muster harness add, with a CLI that no rules know', function () {
  this.timeout(180_000);
  let home: TemporaryFolder;
  const rules = () => join(home.path, 'rules');
  const add = (script: readonly string[], ...argv: string[]) =>
    runProgram(['harness', 'add', 'acme', '--script', '-', '-o', 'json', ...argv], {
      env: { MUSTER_HOME: home.path, HOME: home.path },
      stdin: script.join('\n'),
    });
  const tested = async (...argv: string[]) => {
    const { code, out } = await runProgram(['harness', 'test', ...argv, '-o', 'json'], {
      env: { MUSTER_HOME: home.path },
    });
    return { code, harnesses: JSON.parse(out) as TestedHarness[] };
  };

  before(() => {
    home = temporaryFolder('learn');
  });
  after(() => home.remove());

  it('names the failing line of a script, and keeps the screens before it', async () => {
    const { code, err } = await add([...first, 'workin', 'done'], ...node);
    expect(code).to.equal(2);
    expect(err, err).to.match(/line 9: .*workin.*: did you mean working\?/);
    expect(existsSync(join(rules(), 'acme.json'))).to.equal(false);
    expect(readdirSync(join(rules(), 'acme')).filter((name) => name.startsWith('rest-'))).to.not.be.empty;
  });

  it('refuses to start over them, and to learn from too few screens', async () => {
    const again = await add(['rest'], ...node);
    expect(again).to.deep.include({ code: 5 });
    expect(again.err).to.include('continue with --resume');
    const early = await add(['done'], '--resume');
    expect(early.err).to.include('there is no screen of working');
    expect(existsSync(join(rules(), 'acme.json'))).to.equal(false);
  });

  it('resumes with its first command, and reads all recorded screens', async () => {
    // What was recorded by mistake is undone, one after the other, and also that of an earlier session.
    const mistakes = [
      'help',
      'menu',
      'question',
      'undo',
      'undo',
      'undo',
      'undo draft',
      'type hello',
      'wait hello',
      'draft',
    ];
    const { code, out, err } = await add(
      [...mistakes, 'key Enter', 'wait I have done', ...then, ...last, ...shy, 'done'],
      '--resume',
    );
    expect(err).to.include('help        prints this').and.not.include('help: ');
    expect(err).to.match(/the last question is removed\nthe last menu is removed\nnothing more was recorded here/);
    expect(err).to.include('the last draft is removed');
    expect(code, err).to.equal(0);
    const learned = JSON.parse(out) as LearnedHarness;
    expect(learned.misread).to.deep.equal([]);
    expect(learned.rightBefore).to.be.below(learned.total);
    expect(learned.labels.map(({ label }) => label)).to.deep.equal([
      'rest',
      'draft',
      'working',
      'permission',
      'selection',
    ]);
    const both = ['200x50', '80x24'];
    for (const { label, sizes } of learned.labels)
      expect(sizes, label).to.deep.equal(label === 'selection' ? both.slice(1) : both);
    expect(err).to.include('the CLI showed nothing at another size, so that only this one is recorded');
    expect(learned.unseen).to.deep.equal(['question', 'menu']);
    const file = HarnessFile.parse(JSON.parse(readFileSync(join(rules(), 'acme.json'), 'utf8')));
    expect(file.launch).to.deep.include({ command: process.execPath, start: [acme] });
  });

  it('reads screens that it has not seen: other work, other words, another question', async () => {
    const read = async (screen: string) => {
      const { out } = await runProgram(['why', '--screen', '-', '--harness', 'acme', '-o', 'json'], {
        env: { MUSTER_HOME: home.path },
        stdin: screen,
      });
      return (JSON.parse(out) as { reading: { state: string } }).reading.state;
    };
    const composer = (text: string) => ['═'.repeat(60), `» ${text}`, '═'.repeat(60), '  acme-9 · 7% left'].join('\n');
    expect(await read(`you said x\n\nAll of it is done now.\n\n${composer('')}`)).to.equal('AGENT_STATE_IDLE');
    expect(await read(`  ◠ polishing\n\n${composer('')}`)).to.not.equal('AGENT_STATE_IDLE');
    expect(await read(`you said x\n\n  ◝ polishing\n\n${composer('')}`)).to.equal('AGENT_STATE_THINKING');
    expect(await read(composer('delete all'))).to.equal('AGENT_STATE_UNCERTAIN');
    expect(await read('acme would like to run\n\n    rm x\n\n  (a) allow this time   (n) never')).to.equal(
      'AGENT_STATE_WAITING',
    );
  });

  it('test reads them again, and fails once a rule misreads one', async () => {
    const good = await tested();
    expect(good.code).to.equal(0);
    expect(good.harnesses.map(({ name, misread }) => ({ name, misread }))).to.deep.equal([
      { name: 'acme', misread: [] },
    ]);
    const path = join(rules(), 'acme.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text
        .replace('"AGENT_STATE_THINKING"', '"AGENT_STATE_IDLE"')
        .replaceAll('"priority": 700', '"priority": 999')
        .replaceAll('AGENT_STATE_THINKING', 'AGENT_STATE_IDLE'),
    );
    const bad = await tested('acme');
    expect(bad.code).to.equal(1);
    expect(bad.harnesses[0]?.misread.some(({ label, verdict }) => label === 'working' && verdict === 'wrong')).to.equal(
      true,
    );
    const over = await add(['done'], '--resume');
    expect(over.err).to.include('was written by hand or changed since it was learned');
    writeFileSync(path, text);
  });

  it('prints the output of a CLI that exits at once, and leaves nothing', async () => {
    const { code, err } = await runProgram(['harness', 'add', 'broken', '--script', '-', ...node, 'fails'], {
      env: { MUSTER_HOME: home.path, HOME: home.path },
    });
    expect(code).to.not.equal(0);
    expect(err).to.include('ended immediately after its start').and.include('acme: no licence was found');
    expect(existsSync(join(rules(), 'broken'))).to.equal(false);
  });

  for (const { what, argv, tty, says } of [
    {
      what: 'a program that is not there',
      argv: ['new', '--script', '-', '--', 'no-such-cli'],
      says: 'was not found on your PATH',
    },
    { what: 'a pipe without a script', argv: ['new', '--', 'node'], says: 'this is not a terminal' },
    { what: 'a terminal that is too small', argv: ['new', '--', 'node'], tty: true, says: 'make it at least 80x24' },
    { what: 'a name that is built in', argv: ['claude', '--script', '-'], says: 'claude is built in' },
    { what: 'a script that is not there', argv: ['new', '--script', '/nowhere/x'], says: 'cannot be read' },
  ]) {
    it(`refuses ${what}, and leaves nothing`, async () => {
      const empty = join(home.path, 'empty');
      mkdirSync(empty, { recursive: true });
      const setting = { env: { MUSTER_HOME: empty }, tty: tty ?? false };
      const { code, err } = await runInside(['harness', 'add', ...argv], setting);
      expect(code).to.not.equal(0);
      expect(err).to.include(says);
      expect(existsSync(join(empty, 'rules', 'new'))).to.equal(false);
      rmSync(empty, { recursive: true });
    });
  }
});
