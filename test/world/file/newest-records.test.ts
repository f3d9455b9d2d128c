import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { newestRecords } from '#world/file/newest-records.ts';

describe('the newest records of logs', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('logs');
  });
  afterEach(() => folder.remove());

  const record = (minute: number, msg: string) => `{"time":"2026-01-01T00:0${minute}:00Z","msg":"${msg}"}`;
  const write = (file: string, lines: readonly string[]) =>
    writeFileSync(join(folder.path, file), lines.map((line) => `${line}\n`).join(''));

  it('are merged by time, including rotated files', async () => {
    write('gateway.jsonl', [record(2, 'b'), record(4, 'd')]);
    write('host.jsonl', [record(3, 'c')]);
    write('host.jsonl.1', [record(1, 'a')]);
    const { records, processes } = await newestRecords(folder.path, '', 10);
    expect(records).to.deep.equal([record(1, 'a'), record(2, 'b'), record(3, 'c'), record(4, 'd')]);
    expect(processes).to.deep.equal(['gateway', 'host']);
    expect((await newestRecords(folder.path, '', 2)).records).to.deep.equal([record(3, 'c'), record(4, 'd')]);
    expect((await newestRecords(folder.path, 'host', 10)).records).to.deep.equal([record(1, 'a'), record(3, 'c')]);
  });

  it('are empty if nothing was logged', async () => {
    expect(await newestRecords(join(folder.path, 'none'), '', 10)).to.deep.equal({ records: [], processes: [] });
    write('host.jsonl', [record(1, 'a')]);
    expect((await newestRecords(folder.path, '../host', 10)).records).to.deep.equal([]);
  });

  it('fit one answer at any length, and begin at the start of a record', async () => {
    const long = Array.from({ length: 400 }, (_, at) => record(1, `${at} ${'x'.repeat(3_000)}`));
    write('host.jsonl', long);
    const { records } = await newestRecords(folder.path, '', 200);
    expect(records.join('').length).to.be.within(150_000, 200_000);
    for (const one of records) expect(one).to.match(/^\{"time"/);
    expect(records.at(-1)).to.equal(long.at(-1)?.slice(0, 2_000));
  });
});
