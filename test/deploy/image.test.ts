import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { isOpenPath } from '#test/support/open-path.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type ImageTree, layImage } from './image-tree.ts';

/** A user who owns nothing. */
const nobody = 65_534;

describe('the image of deploy/Dockerfile', () => {
  let folder: TemporaryFolder;
  let image: ImageTree;

  before(() => {
    folder = temporaryFolder('image');
    chmodSync(folder.path, 0o755);
    image = layImage(folder.path);
  });
  after(() => folder.remove());

  it('contains nothing that only its builder may read', () => {
    const closed = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const stat = statSync(join(folder.path, name));
      const wanted = stat.isDirectory() ? 0o555 : 0o444;
      return (stat.mode & wanted) !== wanted;
    });
    expect(closed).to.deep.equal([]);
  });

  it('contains the page, and the tools for backups', () => {
    const names = readdirSync(join(folder.path, 'muster'), { recursive: true, encoding: 'utf8' });
    expect(names).to.include.members(['dist/page/index.html', 'node_modules/better-sqlite3/package.json']);
    expect(names.filter((name) => /^(?:test|deploy)\b|\.ts$/.test(name))).to.deep.equal([]);
  });

  it('runs its program, from any folder and as any user', () => {
    const [program = ''] = image.entrypoint;
    const path = join(image.programs, program);
    expect(relative(image.programs, dirname(path))).to.equal('');
    const mayBeAnother = process.getuid?.() === 0 && isOpenPath(path) && isOpenPath(process.execPath);
    const user = mayBeAnother ? { uid: nobody, gid: nobody } : {};
    const version = execFileSync(path, ['--version'], {
      cwd: '/',
      encoding: 'utf8',
      env: { ...image.environment, PATH: '/usr/bin:/bin' },
      ...user,
    });
    expect(version).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
