import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { programVersion } from '#world/process/program-version.ts';

describe('the version that a program prints', function () {
  this.timeout(30_000);
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

  it('is asked once for each state of its file, however many ask', async () => {
    is('echo "1.2.3 (Some Agent)"');
    expect(await Promise.all([version(), version()])).to.deep.equal(['1.2.3', '1.2.3']);
    expect(await version()).to.equal('1.2.3');
    expect(asks()).to.equal(1);
    is('echo "1.2.4 (Some Agent)"');
    expect(await version()).to.equal('1.2.4');
    expect(asks()).to.equal(2);
  });

  it('is looked for in what it writes as errors too, and counts only from a program that ends well', async () => {
    is('echo 3.2.1 >&2');
    expect(await version()).to.equal('3.2.1');
    is('echo 3.2.2; exit 1');
    expect(await version()).to.equal(undefined);
    is('cat; pwd; echo "$1"');
    expect(await version()).to.equal(undefined);
  });

  it('is not waited for longer than asked for, and known once it has come', async () => {
    is(`until [ -e ${folder.path}/go ]; do sleep 0.05; done; echo 4.0.0`);
    expect(await version(50)).to.equal(undefined);
    writeFileSync(join(folder.path, 'go'), '');
    expect(await version()).to.equal('4.0.0');
    expect(asks()).to.equal(1);
  });

  it('is asked again if a program gave none, and not waited for until it has come', async () => {
    const asked = { program, args: ['--version'], environment: { PATH: '/usr/bin:/bin' } };
    is(`[ -e ${folder.path}/go ] || exit 1; sleep 0.3; echo 5.0.0`);
    expect(await programVersion(asked, 5_000, 0)).to.equal(undefined);
    writeFileSync(join(folder.path, 'go'), '');
    expect(await programVersion(asked, 5_000, 0)).to.equal(undefined);
    await moment('the version', async () => (await programVersion(asked, 5_000, 0)) === '5.0.0');
    expect(asks()).to.equal(2);
  });

  it('is unknown of a program that is not there', async () => {
    expect(await version()).to.equal(undefined);
  });
});
