import { expect } from 'chai';
import { isNewer, newerText, versionIn } from '#contract/pane/harness-version.ts';

describe('the version of a CLI', () => {
  const printed: [string, string | undefined][] = [
    ['2.1.329 (Claude Code)\n', '2.1.329'],
    ['codex-cli 0.169.0\n', '0.169.0'],
    ['GitHub Copilot CLI 1.0.102.\nCommit: 1c2d3e4\n', '1.0.102'],
    ['v24.21.0', '24.21.0'],
    ['0.0.1790142911-g7618fb (released 2026-09-23)', '0.0.1790142911-g7618fb'],
    ['2.2.0-beta.1+build', '2.2.0-beta.1+build'],
    ['unknown option --version', undefined],
    ['1', undefined],
    ['1.2.3.4.5', undefined],
    [`1.${'9'.repeat(11)}`, undefined],
    [`1.0.0-${'x'.repeat(41)}`, undefined],
    [`${' '.repeat(5_000)}1.0.0`, undefined],
    ['<b>1.0.0</b>', '1.0.0'],
    ['', undefined],
  ];
  for (const [output, version] of printed) {
    it(`is ${version ?? 'not known'} in ${JSON.stringify(output.slice(0, 40))}`, () => {
      expect(versionIn(output)).to.equal(version);
    });
  }

  it('is newer by any of its numbers, and by nothing else', () => {
    for (const newer of ['2.1.330', '2.2', '3.0.0', '2.1.329.1', '10.0.0'])
      expect(isNewer(newer, '2.1.329')).to.equal(true);
    for (const other of ['2.1.329', '2.1.329-beta', '2.1.9', '2.0.999', '1.99', '', undefined]) {
      expect(isNewer(other, '2.1.329'), other).to.equal(false);
    }
    expect(isNewer('9.9.9', undefined)).to.equal(false);
  });

  it('is shown with the rules’ version if it is newer', () => {
    expect(newerText('2.2.0', '2.1.187')).to.equal('rules recorded with 2.1.187, this is 2.2.0');
    expect(newerText('2.1.187', '2.1.187')).to.equal('');
  });
});
