import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { environment } from '#test/world/terminal-fixture.ts';
import { makeScratch } from '#world/process/scratch.ts';
import { attachCommand } from '#world/tmux/attach.ts';
import { makeSocketFolder, socketFolder } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

const isRoot = process.getuid?.() === 0;
const notNats = 65_534;
const root = new URL('../../../', import.meta.url).pathname;
/** Where a clone is closed to others, only root can run a part of it. */
const isClosed = isRoot && spawnSync(process.execPath, ['-v'], { uid: notNats, gid: notNats }).status !== 0;
const family = 'agt_01J0000000000000000000000A';

describe('a planted entry in a shared folder', () => {
  const itAsSomebody = isClosed ? it.skip : it;
  let folder: string;

  beforeEach(() => {
    // The suite's own folder is closed to others.
    folder = mkdtempSync('/tmp/muster-test-');
    chmodSync(folder, 0o777);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a part of the program as another user than root, who cannot reach others' files. */
  function asSomebody(code: string): string {
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      encoding: 'utf8',
      env: { ...bareEnvironment(), HOME: folder },
      ...(isRoot && { uid: notNats, gid: notNats }),
    });
    expect(ran.status, ran.stderr).to.equal(0);
    return ran.stdout.trim();
  }

  itAsSomebody('is skipped by the sweep of a start, however it stands, and the rest is swept', () => {
    // Of processes that cannot be: a folder that may not be emptied, one that may not be read, a link and a file.
    mkdirSync(join(folder, 'muster-git-99999991-full/inner'), { recursive: true });
    chmodSync(join(folder, 'muster-git-99999991-full/inner'), 0o500);
    writeFileSync(join(folder, 'muster-git-99999991-full/file'), '');
    chmodSync(join(folder, 'muster-git-99999991-full'), 0o555);
    mkdirSync(join(folder, 'muster-git-99999992-closed/inner'), { recursive: true });
    chmodSync(join(folder, 'muster-git-99999992-closed'), 0o000);
    symlinkSync('/etc', join(folder, 'muster-git-99999993-link'));
    mkdirSync(join(folder, 'muster-git-99999994-mine'));
    const said = asSomebody(
      `import { sweepScratch } from '#world/process/scratch.ts'; console.log(JSON.stringify(await sweepScratch(${JSON.stringify(folder)})))`,
    );
    const stuck = ['muster-git-99999991-full', 'muster-git-99999992-closed'];
    expect(JSON.parse(said)).to.include.members(stuck);
    expect(readdirSync(folder)).to.include.members(stuck).and.not.to.include('muster-git-99999993-link');
    expect(existsSync('/etc/passwd')).to.equal(true);
    chmodSync(join(folder, stuck[0] ?? ''), 0o700);
    chmodSync(join(folder, stuck[0] ?? '', 'inner'), 0o700);
    chmodSync(join(folder, stuck[1] ?? ''), 0o700);
  });

  itAsSomebody('is not looked at where scratch has its own place, which is made when it is needed', () => {
    const home = join(folder, 'home/tmp');
    const said = asSomebody(
      `import { keepScratchIn, makeScratch, sweepScratch } from '#world/process/scratch.ts';
       keepScratchIn(${JSON.stringify(home)}); await sweepScratch(${JSON.stringify(home)}); console.log(await makeScratch())`,
    );
    expect(dirname(said)).to.equal(home);
    expect(lstatSync(home).mode & 0o777).to.equal(0o700);
    expect(lstatSync(said).mode & 0o777).to.equal(0o700);
  });

  it('is ignored if it has the name of the short folder for sockets', async function () {
    if (!isRoot) this.skip();
    const long = join(folder, 'x'.repeat(90), 'run');
    const usual = socketFolder(long);
    mkdirSync(usual, { recursive: true, mode: 0o700 });
    writeFileSync(join(usual, `${family}.sock`), '');
    chownSync(usual, notNats, notNats);
    try {
      const made = await makeSocketFolder(long);
      expect(made).to.match(/^\/tmp\/muster-0-\w{6}$/);
      expect(lstatSync(made)).to.include({ uid: 0 });
      expect(lstatSync(made).mode & 0o777).to.equal(0o700);
      // It is found again, by whoever starts next and by whoever attaches.
      expect([await makeSocketFolder(long), socketFolder(long)]).to.deep.equal([made, made]);
      const terminals = createTmuxTerminals({ runDir: long, environment });
      await terminals.of(family);
      expect(execFileSync('tmux', ['-S', join(made, `${family}.sock`), 'ls'], { encoding: 'utf8' })).to.include(
        'muster',
      );
      await terminals.end(family);
      await terminals.detach();
      // And where that name is taken, too, another one is made.
      mkdirSync(made, { mode: 0o700 });
      chownSync(made, notNats, notNats);
      const next = await makeSocketFolder(long);
      expect(next).not.to.be.oneOf([made, usual]);
      for (const one of [made, next]) rmSync(one, { recursive: true });
    } finally {
      rmSync(usual, { recursive: true });
    }
  });

  it('cannot hijack the short folder after it was removed and created again by another user', async function () {
    if (!isRoot) this.skip();
    const long = join(folder, 'z'.repeat(90), 'run');
    const usual = socketFolder(long);
    const terminals = createTmuxTerminals({ runDir: long, environment });
    await terminals.of(family);
    const parent = dirname(usual);
    const kept = `${parent}-kept`;
    // What a sweep of /tmp does, and whoever waited for it.
    renameSync(parent, kept);
    try {
      mkdirSync(usual, { recursive: true, mode: 0o700 });
      chownSync(parent, notNats, notNats);
      const socket = join(usual, `${family}.sock`);
      const uses = [() => terminals.ask(family), async () => attachCommand(long, { family, windowId: '@0' }, false)];
      const thief = createServer().listen(socket);
      await once(thief, 'listening');
      for (const [index, use] of uses.entries()) {
        const came = await Promise.resolve(use()).then(
          () => undefined,
          (error: unknown) => (error instanceof Failure ? error.code : String(error)),
        );
        expect(came, String(index)).to.equal('failed_precondition');
      }
      // Whoever starts again has a place elsewhere.
      expect(await createTmuxTerminals({ runDir: long, environment }).find(family)).to.equal(undefined);
      await terminals.of('agt_01J0000000000000000000000B');
      expect(socketFolder(long)).not.to.equal(usual);
      thief.close();
    } finally {
      rmSync(parent, { recursive: true });
      renameSync(kept, parent);
      for (const one of [family, 'agt_01J0000000000000000000000B']) await terminals.end(one).catch(() => undefined);
      await terminals.detach();
      rmSync(usual, { recursive: true });
    }
  });

  for (const [what, put] of [
    ['a link', (path: string) => symlinkSync('/etc', path)],
    ['a file', (path: string) => writeFileSync(path, '')],
    [
      'a folder that all may write to',
      (path: string) => {
        mkdirSync(path);
        chmodSync(path, 0o777);
      },
    ],
  ] as const) {
    it(`is ignored if ${what} has the recorded name`, async () => {
      const long = join(folder, 'y'.repeat(90), 'run');
      const noted = join('/tmp', `muster-${process.getuid?.()}-abcDEF`);
      put(noted);
      try {
        mkdirSync(long, { recursive: true });
        writeFileSync(join(long, 'sockets.at'), `${noted}\n`);
        expect(socketFolder(long)).not.to.equal(noted);
        const made = await makeSocketFolder(long);
        expect(made).not.to.equal(noted);
        rmSync(made, { recursive: true });
      } finally {
        rmSync(noted, { recursive: true });
      }
    });
  }

  it('cannot guess the name of this process’s folder', async () => {
    const made = await makeScratch();
    expect(lstatSync(made).mode & 0o777).to.equal(0o700);
    rmSync(made, { recursive: true });
  });
});
