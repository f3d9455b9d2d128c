import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { branchName } from '#world/git/repository/branch-name.ts';

describe('git/branch-name', () => {
  const names: readonly (readonly [string, string, string])[] = [
    ['Fix the Login!', 'agt_01ABC', 'muster/fix-the-login-agt_01ABC'],
    ['', 'agt_1', 'muster/agt_1'],
    ['../..//x.lock', 'agt_1', 'muster/x.lock-agt_1'],
    ['-f', 'agt_1', 'muster/f-agt_1'],
    ['Überprüfung', 'agt_1', 'muster/uberprufung-agt_1'],
    ['日本語', 'agt_1', 'muster/agt_1'],
  ];
  for (const [slug, id, expected] of names) {
    it(`${JSON.stringify(slug)} as ${expected}`, () => {
      expect(branchName(slug, id)).to.equal(expected);
      execFileSync('git', ['check-ref-format', '--branch', branchName(slug, id)]);
    });
  }
});
