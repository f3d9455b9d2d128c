import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { logProbe } from '#test/bus/log-probe.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { readUnhandled, UnhandledErrors } from '#world/unhandled-errors.ts';

describe('unhandled errors', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('unhandled');
  });
  afterEach(() => folder.remove());

  it('are all counted, and a place is logged at the first, tenth and hundredth', () => {
    const errors = new UnhandledErrors();
    const log = logProbe();
    errors.keep(log, folder.path, 'host');
    for (let times = 0; times < 120; times += 1) errors.note(new Error('again'), 'unhandledRejection');
    errors.note(new Error('elsewhere'), 'unhandledRejection');
    expect(errors.count).to.equal(121);
    expect(log.lines.map((line) => /"times":(\d+)/.exec(line)?.[1])).to.deep.equal(['1', '10', '100', '1']);
    expect(log.lines[0]).to.match(/"place":"[^"]*unhandled-errors\.test\.ts:\d+/);
  });

  it('are recorded in a file that outlives the process, for at most twenty places, without secrets', async () => {
    const first = new UnhandledErrors();
    first.keep(logProbe(), folder.path, 'gateway');
    first.note(new Error('no answer from Bearer abcdef'), 'uncaughtException');
    const second = new UnhandledErrors();
    second.keep(logProbe(), folder.path, 'gateway');
    for (let at = 0; at < 30; at += 1)
      second.note(Object.assign(new Error('x'), { stack: `Error\n    at /p${at}.ts:1` }), 'unhandledRejection');
    const noted = (await readUnhandled(folder.path)).get('gateway') ?? [];
    expect(noted).to.have.length(20);
    expect(noted[0]).to.deep.include({
      message: 'no answer from Bearer [removed]',
      event: 'uncaughtException',
      times: 1,
    });
    expect([second.count, noted.at(-1)?.place]).to.deep.equal([30, '/p18.ts:1']);
  });

  it('are counted without a valid record file, and for values other than an Error', () => {
    writeFileSync(join(folder.path, 'host.unhandled.json'), '{"half');
    const errors = new UnhandledErrors();
    errors.keep(logProbe(), folder.path, 'host');
    errors.note('a word', 'unhandledRejection');
    errors.note(undefined, 'unhandledRejection');
    errors.keep(logProbe(), join(folder.path, 'absent'), 'host');
    errors.note(new Error('no room'), 'unhandledRejection');
    expect(errors.count).to.equal(3);
  });

  it('end a command with 1, and are recorded for the doctor', async () => {
    const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));
    const planted = join(folder.path, 'planted.cjs');
    writeFileSync(planted, `setImmediate(() => Promise.reject(new Error('lost in a command')));`);
    mkdirSync(join(folder.path, 'logs'));
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, ['--require', planted, program, 'mail', '--help'], {
      env: { ...env, MUSTER_HOME: folder.path },
      encoding: 'utf8',
    });
    expect(
      { status, isLogged: stderr.includes('muster failed because of a bug of its own: Error: lost in a command') },
      stderr,
    ).to.deep.equal({
      status: 1,
      isLogged: true,
    });
    expect((await readUnhandled(folder.path.concat('/logs'))).get('command')).to.have.length(1);
  });

  it('are not what it is if the reader of a command’s output leaves', async () => {
    const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));
    mkdirSync(join(folder.path, 'logs'));
    const status = join(folder.path, 'status');
    const script =
      '{ "$0" "$1" service status 2>&1; echo $? >&3; "$0" "$1" ls --nope 2>&1; echo $? >&3; } 3>"$2" | true';
    const env = { ...process.env, MUSTER_HOME: folder.path };
    spawnSync('sh', ['-c', script, process.execPath, program, status], { env });
    expect(readFileSync(status, 'utf8')).to.equal('0\n0\n');
    expect((await readUnhandled(folder.path.concat('/logs'))).get('command')).to.equal(undefined);
  });
});
