import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LossyWriter } from '#world/file/lossy-writer.ts';
import { redactLine } from '#world/log.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

/** Runs lines of a program with a `log` in its own process, and gives what it wrote. */
function logged(folder: string, program: string, options = ''): string {
  const source = `
    import { openLog } from '#world/log.ts';
    const log = openLog({ name: 'registry', level: 'info', folder: ${JSON.stringify(folder)}, ${options} });
    ${program}`;
  const args = ['--input-type=module', '--eval', source];
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] }) ?? '';
}

const recordsIn = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('log', () => {
  let place: TemporaryFolder;
  let file: string;
  beforeEach(() => {
    place = temporaryFolder('log');
    file = join(place.path, 'registry.jsonl');
  });
  afterEach(() => place.remove());

  it('writes one JSON line per record to the file of its process, for the owner only', () => {
    logged(
      place.path,
      `log.info({ a: 1 }, 'first\\n{"level":"fatal"}'); log.child({ agentId: 'agt_1' }).warn('second');`,
    );
    const records = recordsIn(file);
    expect(records).to.have.length(2);
    expect(records[0]).to.deep.include({ level: 'info', name: 'registry', a: 1, msg: 'first\n{"level":"fatal"}' });
    expect(records[1]).to.deep.include({ level: 'warn', agentId: 'agt_1', msg: 'second' });
    expect(records[0]?.['time']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((statSync(file).mode & 0o777).toString(8)).to.equal('600');
  });

  it('omits records below its level', () => {
    logged(place.path, `log.debug('unheard'); log.error({ err: new Error('why') }, 'heard');`);
    expect(recordsIn(file).map(({ msg }) => msg)).to.deep.equal(['heard']);
    expect(recordsIn(file)[0]?.['err']).to.deep.include({ message: 'why' });
  });

  it('has written all records of a process that is killed at once', () => {
    const program = `log.info('last words'); process.kill(process.pid, 'SIGKILL');`;
    expect(() => logged(place.path, program)).to.throw();
    expect(recordsIn(file).map(({ msg }) => msg)).to.deep.equal(['last words']);
  });

  it('rotates a full file, and keeps one', () => {
    logged(place.path, `for (let at = 0; at < 100; at++) log.info({ at }, 'x'.repeat(100));`, 'maxBytes: 4_000');
    expect(readdirSync(place.path).toSorted()).to.deep.equal(['registry.jsonl', 'registry.jsonl.1']);
    const kept = [...recordsIn(`${file}.1`), ...recordsIn(file)].map(({ at }) => Number(at));
    expect(kept.at(-1)).to.equal(99);
    expect(kept).to.deep.equal(kept.map((_, index) => 100 - kept.length + index));
    for (const one of [file, `${file}.1`]) expect(statSync(one).size).to.be.at.most(4_000);
  });

  it('writes only to standard error without a folder', () => {
    const source = `import { openLog } from '#world/log.ts'; openLog({ name: 'x', level: 'info' }).info('seen');`;
    const shell = `"$0" --input-type=module --eval "$1" 2>&1`;
    const seen = execFileSync('sh', ['-c', shell, process.execPath, source], { encoding: 'utf8' });
    expect(JSON.parse(seen)).to.deep.include({ msg: 'seen' });
    expect(existsSync(file)).to.equal(false);
  });

  it('drops records that it cannot write, without ending the process, and reports their number', () => {
    symlinkSync('/dev/full', file);
    const program = `
      for (let record = 0; record < 1000; record += 1) log.info('lost');
      log.child({ agentId: 'agt_1' }).error('lost too');
      console.log('it lives');`;
    const source = `
      import { openLog } from '#world/log.ts';
      const log = openLog({ name: 'registry', level: 'info', folder: ${JSON.stringify(place.path)} });
      ${program}`;
    const full = openSync('/dev/full', 'w');
    const args = ['--input-type=module', '--eval', source];
    const out = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', full] });
    closeSync(full);
    expect(out).to.equal('it lives\n');
    const writer = new LossyWriter((count) => `lost ${count}\n`);
    const there = join(place.path, 'there');
    const refuse = () => {
      throw new Error('EIO');
    };
    for (const line of ['a\n', 'b\n']) expect(writer.write(refuse, line)).to.equal(false);
    const opened = openSync(there, 'a');
    for (const line of ['c\n', 'd\n']) expect(writer.write(() => opened, line)).to.equal(true);
    closeSync(opened);
    expect(readFileSync(there, 'utf8')).to.equal('lost 2\nc\nd\n');
  });
});

describe('the redaction of a log', () => {
  const redact = (record: object): unknown => JSON.parse(redactLine(`${JSON.stringify(record)}\n`));

  it('removes the value of every secret field, at any depth', () => {
    for (const name of [
      'token',
      'operatorToken',
      'SERVICE_TOKEN',
      'password',
      'passwords',
      'authorization',
      'Cookie',
    ]) {
      expect(redact({ a: [{ [name]: 'hunter2', b: 1 }] }), name).to.deep.equal({ a: [{ [name]: '[removed]', b: 1 }] });
      expect(redact({ [name]: { host: 'hunter2' } }), name).to.deep.equal({ [name]: '[removed]' });
    }
  });

  it('removes credentials in authorization headers and addresses within a text', () => {
    expect(redact({ msg: 'sent Bearer abc.def-1~2/3+4== to it' })).to.deep.equal({
      msg: 'sent Bearer [removed] to it',
    });
    expect(redact({ url: 'nats://host:hunter2@bus:4222 and https://me@h/' })).to.deep.equal({
      url: 'nats://[removed]@bus:4222 and https://[removed]@h/',
    });
  });

  it('keeps counts, absent values and plain addresses', () => {
    const plain = { inputToken: 12, token: null, mail: 'ann@example.com', url: 'http://127.0.0.1:7433/a@b' };
    expect(redact(plain)).to.deep.equal(plain);
    const line = '{"msg":"nothing to hide"}\n';
    expect(redactLine(line)).to.equal(line);
  });
});
