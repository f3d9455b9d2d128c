import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Config } from '#contract/process-context.ts';
import { requireFit } from '#service/upgrade/prepare-upgrade.ts';
import { changesTables, ownFacts, type ReleaseFacts } from '#service/upgrade/release-facts.ts';
import { skewWith } from '#service/upgrade/skew.ts';
import { requireUpgradable } from '#service/upgrade/upgradable.ts';
import {
  readUpgrade,
  type UpgradeRecord,
  unfinishedUpgrade,
  upgradesIn,
  writeUpgrade,
} from '#service/upgrade/upgrade-record.ts';
import { requireNotOlder } from '#service/upgrade/upgrade-target.ts';
import { compareVersions, isVersion } from '#service/upgrade/version-order.ts';
import { failureOf } from '#test/support/failure.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const next: ReleaseFacts = { ...ownFacts(), version: '0.3.0', protocols: { min: 2, max: 3 } };
const sqlite = { databaseUrl: undefined, databasePasswordFile: undefined } as Config;

describe('the rules of an upgrade', () => {
  it('order versions as semantic versioning does', () => {
    const ordered = [
      '0.0.9',
      '0.1.0-alpha',
      '0.1.0-alpha.1',
      '0.1.0-alpha.beta',
      '0.1.0-rc.2',
      '0.1.0-rc.11',
      '0.1.0',
      '0.2.0',
      '0.10.0',
      '1.0.0',
    ];
    for (const [at, one] of ordered.entries()) {
      for (const [other, two] of ordered.entries())
        expect(Math.sign(compareVersions(one, two)), `${one} ${two}`).to.equal(Math.sign(at - other));
    }
    expect(compareVersions('1.0.0+a', '1.0.0+b')).to.equal(0);
    expect(['1.2.3', '1.2.3-rc.1', 'latest', '1.2', 'a.tgz', '1.2.3 --force'].map(isVersion)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('refuse an older version, with what to do', async () => {
    requireNotOlder('0.3.0', '0.2.0', '/backups');
    const { reason, message } = await failureOf(async () => requireNotOlder('0.1.0', '0.2.0', '/backups'));
    expect(reason).to.equal('DOWNGRADE_REFUSED');
    expect(message).to.include('muster restore FILE').and.include('/backups');
  });

  it('refuse a version that a host would not understand, or be newer than, and name the others', async () => {
    const hosts = [
      { name: 'old', version: '0.1.0', protocol: 1 },
      { name: 'silent', version: undefined, protocol: undefined },
      { name: 'near', version: '0.2.0', protocol: 2 },
      { name: 'same', version: '0.3.0', protocol: 3 },
      { name: 'new', version: '0.4.0', protocol: 3 },
    ];
    const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name);
    const { tooOld, newer, behind } = skewWith(hosts, next);
    expect([tooOld, newer, behind].map(names)).to.deep.equal([['old', 'silent'], ['new'], ['near']]);
    const old = await failureOf(async () => requireFit(sqlite, next, skewWith(hosts.slice(0, 2), next)));
    expect(old.message).to.include('old (0.1.0), silent (unknown version)').and.include('then these hosts');
    const ahead = await failureOf(async () => requireFit(sqlite, next, skewWith(hosts.slice(4), next)));
    expect(ahead.message).to.include('new (0.4.0)');
    requireFit(sqlite, next, skewWith(hosts.slice(2, 4), next));
  });

  it('distinguish tables that this version works with, and refuse others in PostgreSQL', async () => {
    const [first = '', ...rest] = ownFacts().migrations;
    const withMore = (name: string) => ({ ...next, migrations: [first, ...rest, name] });
    expect(
      [ownFacts(), withMore('2027-01-01-later@0.1'), withMore('2027-01-01-later')].map((one) => changesTables(one)),
    ).to.deep.equal([false, false, true]);
    expect(
      changesTables({ ...next, snapshots: { ...next.snapshots, agent: (next.snapshots['agent'] ?? 0) + 1 } }),
    ).to.equal(true);
    const postgres = { ...sqlite, databaseUrl: 'postgres://muster@localhost/muster' };
    const refused = await failureOf(async () => requireFit(postgres, withMore('2027-01-01-later'), skewWith([], next)));
    expect(refused.message).to.include('no way back');
    requireFit(postgres, withMore('2027-01-01-later@0.1'), skewWith([], next));
    requireFit(sqlite, withMore('2027-01-01-later'), skewWith([], next));
  });

  it('know what installed a copy, and say how others are upgraded', async () => {
    const place = temporaryFolder('kinds');
    const folderOf = (path: string) => {
      mkdirSync(join(place.path, path), { recursive: true });
      return join(place.path, path);
    };
    for (const [path, text] of [
      ['.npm/_npx/0a1b/node_modules/@muster-fleet/muster', 'npx @muster-fleet/muster@latest'],
      ['opt/muster', 'something else than npm'],
    ] as const) {
      const { reason, message } = await failureOf(async () => requireUpgradable(folderOf(path)));
      expect(reason).to.equal('UPGRADE_NOT_POSSIBLE');
      expect(message).to.include(text).and.include('muster backup FILE');
    }
    const clone = await failureOf(async () => requireUpgradable(process.cwd()));
    expect(clone.message).to.include(`git -C ${process.cwd()} pull`);
    folderOf('node/bin');
    const folder = folderOf('node/lib/node_modules/@muster-fleet/muster');
    expect(requireUpgradable(`${folder}/`).current).to.equal(folder);
    place.remove();
  });

  it('keep how far an upgrade is, and distinguish an end from a step', async () => {
    const place = temporaryFolder('record');
    mkdirSync(upgradesIn(place.path));
    expect(readUpgrade(place.path)).to.equal(undefined);
    const record: UpgradeRecord = {
      phase: 'prepared',
      from: '0.1.0',
      to: '0.2.0',
      startedAt: '2026-11-28T07:00:00.000Z',
      folder: '/opt/muster',
      prefix: '/opt',
      changesTables: false,
    };
    for (const phase of ['prepared', 'switching', 'switched', 'returning', 'upgraded', 'returned'] as const) {
      writeUpgrade(place.path, { ...record, phase });
      expect(unfinishedUpgrade(place.path)?.phase, phase).to.equal(
        phase === 'upgraded' || phase === 'returned' ? undefined : phase,
      );
    }
    writeUpgrade(place.path, { ...record, phase: 'half' as 'prepared' });
    expect((await failureOf(async () => readUpgrade(place.path))).reason).to.equal('FILE_NOT_USABLE');
    place.remove();
  });
});
