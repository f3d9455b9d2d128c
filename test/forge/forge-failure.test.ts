import { expect } from 'chai';
import { forgeFailure } from '#actors/registry/forge/forge-failure.ts';
import { ForgeError } from '#world/forge/forge-error.ts';

describe('a forge’s failure for a caller', () => {
  it('names the time of the next accepted request', () => {
    const error = new ForgeError('rate_limited', 'github.com was asked too much', { retryAt: Date.UTC(2026, 0, 2) });
    expect(forgeFailure(error).toJSON()).deep.equal({
      code: 'unavailable',
      reason: 'FORGE_RATE_LIMITED',
      message: 'github.com was asked too much; it accepts requests again from 2026-01-02T00:00:00.000Z',
    });
  });

  it('distinguishes a refused credential from a missing repository', () => {
    expect(forgeFailure(new ForgeError('credential_refused', 'x')).code).equal('failed_precondition');
    expect(forgeFailure(new ForgeError('not_found', 'x')).code).equal('not_found');
  });
});
