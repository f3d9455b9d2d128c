import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  clearLeftovers,
  keepPrevious,
  linkAsInstalled,
  type ProgramFolders,
  programFolders,
  switchBack,
  switchPrograms,
} from '#service/upgrade/program-folders.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const killAt = fileURLToPath(new URL('../../support/kill-at.cjs', import.meta.url));
const exchange = fileURLToPath(new URL('exchange.ts', import.meta.url));

describe('the folders of an upgrade', () => {
  let place: TemporaryFolder;
  before(() => {
    place = temporaryFolder('exchange');
  });
  after(() => place.remove());

  const write = (folder: string, text: string): void => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin', 'muster'), text);
  };
  /** A program that npm has installed, and the next one beside it. */
  function prepared(name: string): ProgramFolders {
    const prefix = join(place.path, name);
    const folders = programFolders(join(prefix, 'lib/node_modules/@muster-fleet/muster'), prefix);
    write(folders.current, 'old');
    mkdirSync(join(prefix, 'bin'));
    symlinkSync('../lib/node_modules/@muster-fleet/muster/bin/muster', join(prefix, 'bin/muster'));
    keepPrevious(folders);
    write(folders.next, 'new');
    return folders;
  }
  const run = (what: 'switch' | 'back', { current, prefix }: ProgramFolders, at?: number) =>
    spawnSync(process.execPath, ['--require', killAt, exchange, what, current, prefix], {
      encoding: 'utf8',
      env: { ...process.env, ...(at && { MUSTER_TEST_KILL_AT: String(at), MUSTER_TEST_KILL_WITHIN: prefix }) },
    });
  const programIn = (folder: string) => readFileSync(join(folder, 'bin/muster'), 'utf8');
  /** What a person’s command runs. */
  const command = ({ prefix }: ProgramFolders) => programIn(prefix);

  it('are exchanged, and put back', () => {
    const folders = prepared('whole');
    switchPrograms(folders);
    expect([command(folders), programIn(folders.current), programIn(folders.previous)]).to.deep.equal([
      'new',
      'new',
      'old',
    ]);
    switchPrograms(folders);
    expect(command(folders)).to.equal('new');
    switchBack(folders);
    expect([command(folders), programIn(folders.current)]).to.deep.equal(['old', 'old']);
    clearLeftovers(folders);
    expect(readdirSync(join(folders.current, '..')).sort()).to.deep.equal(['.muster-previous', 'muster']);
    expect(realpathSync(join(folders.prefix, 'bin/muster'))).to.equal(
      realpathSync(join(folders.current, 'bin/muster')),
    );
  });

  for (const [what, prepare] of [
    ['switch', () => undefined],
    ['back', switchPrograms],
  ] as const) {
    it(`lead to a program at each moment of a ${what} that is killed, and to the previous one afterwards`, () => {
      for (let at = 1; ; at += 1) {
        const folders = prepared(`${what}-${at}`);
        prepare(folders);
        const { signal, stderr } = run(what, folders, at);
        expect(command(folders), `killed before change ${at}: ${stderr}`).to.be.oneOf(['old', 'new']);
        switchBack(folders);
        expect([command(folders), programIn(folders.current)], `killed before change ${at}`).to.deep.equal([
          'old',
          'old',
        ]);
        if (signal === null) {
          expect(at, 'there are several steps').to.be.above(4);
          return;
        }
      }
    });
  }

  it('get the links that npm makes, for commands and manual pages that are new', () => {
    const folders = prepared('links');
    const staged = join(folders.stage, 'lib/node_modules/@muster-fleet/muster');
    for (const [folder, name, target] of [
      ['bin', 'muster', 'bin/muster'],
      ['bin', 'muster-new', 'bin/muster-new'],
      ['share/man/man1', 'muster.1', 'man/muster.1'],
    ] as const) {
      mkdirSync(join(folders.stage, folder), { recursive: true });
      const up = '../'.repeat(folder.split('/').length);
      symlinkSync(`${up}lib/node_modules/@muster-fleet/muster/${target}`, join(folders.stage, folder, name));
      mkdirSync(join(folders.next, target, '..'), { recursive: true });
      writeFileSync(join(folders.next, target), target);
    }
    expect(staged).to.include('.muster-stage');
    switchPrograms(folders);
    linkAsInstalled(folders);
    linkAsInstalled(folders);
    for (const [link, text] of [
      ['bin/muster-new', 'bin/muster-new'],
      ['share/man/man1/muster.1', 'man/muster.1'],
      ['bin/muster', 'bin/muster'],
    ] as const) {
      expect(lstatSync(join(folders.prefix, link)).isSymbolicLink(), link).to.equal(true);
      expect(readFileSync(join(folders.prefix, link), 'utf8')).to.equal(text);
    }
  });
});
