import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { musterProgram, prepareStateFolder } from '#service/state-folder.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';
import { failureOf } from '../../support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('state folder', () => {
  let place: TemporaryFolder;
  let home: string;
  beforeEach(() => {
    place = temporaryFolder('state');
    home = join(place.path, 'deep/muster');
  });
  afterEach(() => place.remove());

  it('creates every folder for its owner only', () => {
    const folder = prepareStateFolder(home);
    expect(readdirSync(home).toSorted()).to.deep.equal(['bin', 'logs', 'rules', 'run', 'tmp', 'worktrees']);
    for (const path of Object.values(folder)) expect(modeOf(path), path).to.equal('700');
  });

  it('closes folders that others could read, and keeps their content', () => {
    mkdirSync(join(home, 'rules'), { recursive: true });
    writeFileSync(join(home, 'rules/claude.json'), '{}');
    chmodSync(join(home, 'rules'), 0o755);
    chmodSync(home, 0o777);
    prepareStateFolder(home);
    expect([modeOf(home), modeOf(join(home, 'rules'))]).to.deep.equal(['700', '700']);
    expect(existsSync(join(home, 'rules/claude.json'))).to.equal(true);
  });

  it('links this installation’s command, also over another link', () => {
    mkdirSync(join(home, 'bin'), { recursive: true });
    symlinkSync('/nowhere/muster', join(home, 'bin/muster'));
    for (const time of ['first', 'second']) {
      prepareStateFolder(home);
      expect(readlinkSync(join(home, 'bin/muster')), time).to.equal(musterProgram);
    }
  });

  it('refuses an impossible place at once', async () => {
    expect((await failureOf(() => prepareStateFolder('/proc/muster'))).message).to.contain(
      '/proc/muster cannot be used',
    );
  });

  it('refuses a file in its place, with the remedy', async () => {
    mkdirSync(join(place.path, 'deep'));
    writeFileSync(home, '');
    const { code, message } = await failureOf(() => prepareStateFolder(home));
    expect(code).to.equal('failed_precondition');
    expect(message).to.include(home).and.to.include('MUSTER_HOME');
  });
});

describe('private file', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('private');
  });
  afterEach(() => place.remove());

  it('is for its owner only, and replaced atomically', () => {
    const path = join(place.path, 'token');
    expect(readPrivateFile(path)).to.equal(undefined);
    writePrivateFile(path, 'a long first text');
    const before = statSync(path).ino;
    writePrivateFile(path, 'short');
    expect(readPrivateFile(path)).to.equal('short');
    expect(modeOf(path)).to.equal('600');
    expect(statSync(path).ino, 'a new file took its place').not.to.equal(before);
  });

  it('leaves nothing behind if it cannot be written', () => {
    mkdirSync(join(place.path, 'token/full'), { recursive: true });
    expect(() => writePrivateFile(join(place.path, 'token'), 'x')).to.throw();
    expect(readdirSync(place.path)).to.deep.equal(['token']);
  });
});
