import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { programVersion } from '#world/process/program-version.ts';

describe('the version that a program prints', () => {
  let folder: TemporaryFolder;
  let program: string;
  beforeEach(() => {
    folder = temporaryFolder('program-version');
    program = join(folder.path, 'cli');
  });
  afterEach(() => folder.remove());

  const asks = () => readFileSync(join(folder.path, 'asked'), 'utf8').length;
  const is = (says: string) =>
    writeFileSync(program, `#!/bin/sh\nprintf x >> ${folder.path}/asked\n${says}\n`, { mode: 0o755 });
  const version = (withinMs = 5_000) =>
    programVersion({ program, args: ['--version'], environment: { PATH: '/usr/bin:/bin' } }, withinMs);

  it('is read once per state of its file, for any number of callers', async () => {
    is('echo "1.2.3 (Some Agent)"');
    expect(await Promise.all([version(), version()])).to.deep.equal(['1.2.3', '1.2.3']);
    expect(await version()).to.equal('1.2.3');
    expect(asks()).to.equal(1);
    is('echo "1.2.4 (Some Agent)"');
    expect(await version()).to.equal('1.2.4');
    expect(asks()).to.equal(2);
  });

  it('is read from standard error too, and only on success', async () => {
    is('echo 3.2.1 >&2');
    expect(await version()).to.equal('3.2.1');
    is('echo 3.2.2; exit 1');
    expect(await version()).to.equal(undefined);
    is('cat; pwd; echo "$1"');
    expect(await version()).to.equal(undefined);
  });

  it('is awaited only for the given time, and cached later', async () => {
    is(`until [ -e ${folder.path}/go ]; do sleep 0.05; done; echo 4.0.0`);
    expect(await version(50)).to.equal(undefined);
    writeFileSync(join(folder.path, 'go'), '');
    expect(await version()).to.equal('4.0.0');
    expect(asks()).to.equal(1);
  });

  it('is read again after a missing answer, without a wait', async () => {
    const asked = { program, args: ['--version'], environment: { PATH: '/usr/bin:/bin' } };
    is(`[ -e ${folder.path}/go ] || exit 1; sleep 0.3; echo 5.0.0`);
    expect(await programVersion(asked, 5_000, 0)).to.equal(undefined);
    writeFileSync(join(folder.path, 'go'), '');
    expect(await programVersion(asked, 5_000, 0)).to.equal(undefined);
    await moment('the version', async () => (await programVersion(asked, 5_000, 0)) === '5.0.0');
    expect(asks()).to.equal(2);
  });

  it('is undefined for a missing program', async () => {
    expect(await version()).to.equal(undefined);
  });
});
