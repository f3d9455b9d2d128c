import { headers } from '@nats-io/nats-core';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeOutcome, readOutcome } from '#bus/call/outcome.ts';
import { decodeBody, encodeBody, failureHeaders, requestHeaders, timeoutOf } from '#bus/codec.ts';
import { Failure } from '#contract/failure.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { refusalWith } from '#test/support/failure.ts';

describe('the codec of the bus', () => {
  it('round-trips any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has no negative zero.
        const sent = JSON.parse(JSON.stringify(value)) as unknown;
        expect(decodeBody(encodeBody(sent))).to.deep.equal(sent);
      }),
    );
  });

  it('sends nothing for undefined', () => {
    expect(encodeBody(undefined)).to.have.lengthOf(0);
    expect(decodeBody(new Uint8Array())).to.equal(undefined);
  });

  it('rejects invalid JSON', () => {
    expect(() => decodeBody(new TextEncoder().encode('{"a":')))
      .to.throw(Failure)
      .with.property('code', 'invalid_argument');
  });

  for (const code of Object.keys(failureCodes) as FailureCode[]) {
    it(`preserves the full message of ${code}`, () => {
      const failure = refusalWith(code, 'für "x"\nand more: ✓');
      const sent = failureHeaders(failure);
      expect(sent['Nats-Service-Error-Code']).to.equal(String(failureCodes[code].status));
      expect(sent['Nats-Service-Error']).to.match(/^[\x20-\x7e]+$/);
      expect(() => readOutcome(encodeOutcome({ failure })))
        .to.throw(Failure)
        .that.includes({ code, message: failure.message });
    });
  }

  it('returns an answer unchanged', () => {
    expect(readOutcome(encodeOutcome({ body: { a: [1, null] } }))).to.deep.equal({ a: [1, null] });
    expect(readOutcome(encodeOutcome({ body: undefined }))).to.equal(undefined);
  });

  it('returns the caller’s time limit, rounded up', () => {
    expect(timeoutOf(requestHeaders(1500.2))).to.equal(1501);
    expect(requestHeaders(1, { Trace: 'abc' }).get('Trace')).to.equal('abc');
  });

  it('returns no time limit without a header', () => {
    expect(timeoutOf(undefined)).to.equal(undefined);
    for (const wrong of ['', '-1', '0', '1e3', '99999999999', 'soon']) {
      const sent = headers();
      if (wrong !== '') sent.set('Muster-Timeout-Ms', wrong);
      expect(timeoutOf(sent), wrong).to.equal(undefined);
    }
  });
});
