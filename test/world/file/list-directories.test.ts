import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { listDirectories } from '#world/file/list-directories.ts';

describe('directory completion', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('directories');
    for (const name of ['shop/.git', 'shelf', 'other', '.hidden', 'state/run', 'bad\u0007name']) {
      mkdirSync(join(folder.path, name), { recursive: true });
    }
    writeFileSync(join(folder.path, 'shoes.txt'), '');
    symlinkSync(join(folder.path, 'other'), join(folder.path, 'shortcut'));
    symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'shut'));
    symlinkSync(join(folder.path, 'state'), join(folder.path, 'way-in'));
  });
  afterEach(() => folder.remove());

  const list = (beginning: string) => listDirectories(`${folder.path}/${beginning}`, join(folder.path, 'state'));
  const names = async (beginning: string) =>
    (await list(beginning)).directories.map(({ path }) => path.slice(folder.path.length + 1));

  it('lists directories with the prefix, also links to them, and marks repositories', async () => {
    expect(await names('sh')).to.deep.equal(['shelf', 'shop', 'shortcut']);
    expect((await list('shop')).directories).to.deep.equal([{ path: join(folder.path, 'shop'), repository: true }]);
    expect(await names('')).to.deep.equal(['other', 'shelf', 'shop', 'shortcut', 'state', 'way-in']);
    expect(await names('.h')).to.deep.equal(['.hidden']);
    expect(await list('nothing')).to.deep.equal({ directories: [], more: false });
  });

  it('lists fifty at most, and reports that there are more', async () => {
    for (let at = 0; at < 60; at += 1) mkdirSync(join(folder.path, 'other', `d${at}`));
    const { directories, more } = await list('other/');
    expect([directories.length, more]).to.deep.equal([50, true]);
  });

  it('keeps ~ as typed', async () => {
    const { directories } = await listDirectories('~/', join(folder.path, 'state'));
    for (const { path } of directories) expect(path).to.match(/^~\/[^/]+$/);
    expect(homedir()).not.to.equal('');
  });

  it('lists none of muster’s own, even through a link, none of a missing folder, and none for a relative path', async () => {
    for (const beginning of ['state/', 'state/run/', 'way-in/', 'way-in/../state/']) {
      expect((await failureOf(() => list(beginning))).reason, beginning).to.equal('INVALID_PATH');
    }
    for (const beginning of ['nowhere/', 'shoes.txt/', 'shut/x']) {
      expect((await failureOf(() => list(beginning))).reason, beginning).to.equal('DIRECTORY_MISSING');
    }
    for (const path of ['src/', 'x', '~other/', '../', 'a\0/']) {
      const refusal = await failureOf(() => listDirectories(path, '/nonexistent'));
      expect(refusal.reason, path).to.equal('INVALID_PATH');
    }
    const outside = await failureOf(() => listDirectories('/\0/', '/nonexistent'));
    expect(outside.reason).to.equal('INVALID_PATH');
  });
});
