import { expect } from 'chai';
import { z } from 'zod';
import { askHost } from '#actors/registry/host/host-call.ts';
import { Failure } from '#contract/failure.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';

const call = { verb: 'look', request: z.object({}), response: z.object({}) };

describe('a request to a host', () => {
  const asked = (failure: Failure) =>
    failureOf(() => {
      const request = () => Promise.reject(failure);
      return askHost({ ask: request, endRevoked: () => {} }, { id: 'hst_1', name: 'here' }, call, {}, 5_000);
    });

  it('without a listener fails with a hint to start the host', async () => {
    const { code, message } = await asked(new Failure('HOST_SILENT', 'nobody'));
    expect(code).to.equal('unavailable');
    expect(message).to.equal('Host here (hst_1) does not answer: start `muster host` on it, or try again');
  });

  it('without a timely answer fails without that hint', async () => {
    const { code, message } = await asked(new Failure('HOST_TIMED_OUT', 'late'));
    expect(code).to.equal('unavailable');
    expect(message).to.contain('has not answered within 5 s').and.not.to.contain('start');
  });

  it('passes the host’s own refusal on', async () => {
    expect(await asked(refusalWith('failed_precondition', 'no window'))).to.have.property('message', 'no window');
  });
});
