import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { inSoak } from '#test/support/soak.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { checksumsText, notesText, sectionOf, steadyBill } from '../../bin/release-text.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };

describe('a release', function () {
  this.timeout(600_000);

  it('has the section of its version in the changelog, which the notes repeat', () => {
    const changelog =
      '# Changelog\n\n## 0.2.0 (unreleased)\n\n- later\n\n## 0.1.0 (2026-11-28)\n\n### Agents\n\n- first\n';
    expect(sectionOf(changelog, '0.1.0')).to.deep.equal({ date: '2026-11-28', text: '### Agents\n\n- first' });
    expect(sectionOf(changelog, '0.2.0')).to.deep.equal({ date: undefined, text: '- later' });
    for (const absent of ['0.3.0', '0.1.00', '0x1.0'])
      expect(() => sectionOf(changelog, absent)).to.throw('no section');
    const { text } = sectionOf(read('CHANGELOG.md'), version);
    const files = [{ name: 'a.tgz', sha256: 'f'.repeat(64) }];
    expect(checksumsText(files)).to.equal(`${'f'.repeat(64)}  a.tgz\n`);
    expect(notesText({ name, version, text, files }))
      .to.include(`npm install --global ${name}@${version}`)
      .and.include(checksumsText(files))
      .and.include(text);
  });

  it('has a bill of materials that does not differ from run to run', () => {
    const bill = (noise: string) =>
      JSON.stringify({
        serialNumber: `urn:uuid:${noise}`,
        metadata: { timestamp: noise, component: { name: noise, version } },
        components: [{ name: 'xstate' }],
      });
    const facts = { name, time: '2026-11-28T07:00:00.000Z', sha256: 'a'.repeat(64) };
    const made = steadyBill(bill('one'), facts);
    expect(steadyBill(bill('two'), facts)).to.equal(made);
    expect(steadyBill(bill('one'), { ...facts, sha256: 'b'.repeat(64) })).not.to.equal(made);
    const { serialNumber, metadata, components } = JSON.parse(made) as {
      serialNumber: string;
      metadata: { timestamp: string; component: { name: string } };
      components: unknown[];
    };
    expect(serialNumber).to.match(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([metadata.timestamp, metadata.component.name]).to.deep.equal([facts.time, name]);
    expect(components).to.have.length(1);
  });

  inSoak('has the same bytes from two clones', () => {
    const place = temporaryFolder('release');
    const [one, other] = ['one', 'other/deeper'].map((folder) => {
      const clone = join(place.path, folder);
      execFileSync('git', ['clone', '--quiet', root, clone]);
      cpSync(join(root, 'node_modules'), join(clone, 'node_modules'), { recursive: true, verbatimSymlinks: true });
      const out = join(clone, 'dist/made');
      execFileSync(process.execPath, ['bin/release.mjs', '--dry-run', '--out', out], { cwd: clone, stdio: 'pipe' });
      return Object.fromEntries(
        readdirSync(out).map((file) => [file, readFileSync(join(out, file)).toString('base64')]),
      );
    });
    expect(Object.keys(one ?? {}).sort()).to.deep.equal([
      'SHA256SUMS',
      `muster-fleet-muster-${version}.tgz`,
      'notes.md',
      'sbom.cdx.json',
    ]);
    expect(one).to.deep.equal(other);
    place.remove();
  });
});
