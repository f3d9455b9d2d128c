import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { checkBrowser, checkDatabaseFile, checkPage } from '#service/installation-checks.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

describe('the doctor’s checks of an installation', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('installation');
  });
  afterEach(() => place.remove());

  it('warn about a missing page, and about one from other sources', () => {
    const state = { place: place.path, stampName: 'stamp', wanted: '' };
    expect(checkPage({ ...state, isBuilt: false })).to.deep.include({
      outcome: 'warn',
      found: `there is none in ${place.path}`,
    });
    writeFileSync(join(place.path, 'index.html'), '');
    expect(checkPage({ ...state, isBuilt: false })).to.deep.include({
      outcome: 'warn',
      found: 'it was built from other sources',
    });
    expect(checkPage({ ...state, isBuilt: true })).to.deep.include({ outcome: 'ok' });
  });

  it('show the opener of muster open, and warn about a desktop without one', () => {
    const bin = join(place.path, 'bin');
    mkdirSync(bin);
    expect(checkBrowser({}, 'linux').found).to.include('no desktop');
    expect(checkBrowser({}, 'darwin').found).to.include('`open`');
    expect(checkBrowser({ DISPLAY: ':0', PATH: bin }, 'linux')).to.deep.include({
      outcome: 'warn',
      found: 'xdg-open is not installed',
    });
    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\n');
    chmodSync(join(bin, 'xdg-open'), 0o755);
    expect(checkBrowser({ WAYLAND_DISPLAY: 'wayland-0', PATH: bin }, 'linux').found).to.include(join(bin, 'xdg-open'));
  });

  it('fail on a damaged or invalid database, and read one in use', () => {
    const file = join(place.path, 'muster.db');
    expect(checkDatabaseFile(place.path)).to.deep.include({
      outcome: 'ok',
      found: 'will be created by the first start',
    });
    const owner = new Database(file);
    owner.exec('pragma journal_mode = wal; create table t (a); create index i on t (a); begin immediate');
    const insert = owner.prepare('insert into t values (?)');
    for (let row = 0; row < 2_000; row += 1) insert.run([`row ${row} ${'x'.repeat(200)}`]);
    expect(checkDatabaseFile(place.path), 'while it is written').to.deep.include({
      outcome: 'ok',
      found: `${file} is intact in structure; changed bits within rows are not detected until muster has started and recorded its pages`,
    });
    owner.exec('commit');
    owner.close();
    truncateSync(file, 64 * 1024);
    const damaged = checkDatabaseFile(place.path);
    expect(damaged.outcome).to.equal('fail');
    expect(damaged.found).to.match(/is damaged|cannot be read: database disk image is malformed/);
    expect(damaged.mend).to.include('restore an intact copy');
    writeFileSync(file, 'this is no database, however long one looks at it');
    expect(checkDatabaseFile(place.path).found).to.match(/cannot be read: file is not a database/);
  });
});
