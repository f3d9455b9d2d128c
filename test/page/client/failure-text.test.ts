import { fromJson, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeFromString } from '@connectrpc/connect/protocol-connect';
import { expect } from 'chai';
import { detailsOf } from '#contract/details/failure-details.ts';
import { Failure } from '#contract/failure.ts';
import { actFailureText, failureText, mayRetry, wrongFields } from '#page/api/failure-text.ts';

/** A refusal as it comes from the gateway. */
function refusal(failure: Failure): ConnectError {
  const carried = detailsOf(failure).map(({ desc, value }) => ({
    type: desc.typeName,
    value: toBinary(desc, fromJson(desc, value)),
  }));
  const error = new ConnectError(failure.message, codeFromString(failure.code));
  error.details = carried;
  return error;
}

const refused = refusal(new Failure('WORKFLOW_IN_USE', 'It has agents'));
const unheard = [
  new TypeError('Failed to fetch'),
  new TypeError('NetworkError when attempting to fetch resource.'),
  new TypeError('Load failed'),
  new ConnectError('', Code.Unavailable),
  new ConnectError('bad gateway', Code.Unavailable),
  refusal(new Failure('NO_ANSWER', 'Not for its words')),
  refusal(new Failure('BUS_UNAVAILABLE', 'Nor these')),
];

describe('the page’s failure text', () => {
  it('is the service’s message of a refusal', () => {
    expect(failureText(refused)).to.equal(refused.rawMessage);
    expect(actFailureText(refused)).to.equal(refused.rawMessage);
    expect(mayRetry(refused)).to.equal(false);
  });

  it('never claims that nothing was done if no answer came', () => {
    for (const error of unheard) {
      expect(actFailureText(error), error.message).to.include('may have been done, or not');
      expect(failureText(error), error.message).to.equal('muster cannot be reached');
      expect(mayRetry(error), error.message).to.equal(true);
    }
  });

  it('names the problem of each field', () => {
    const violations = [
      { field: 'name', description: 'name is missing' },
      { field: 'cron', description: 'cron is "x"' },
    ];
    const both = refusal(new Failure('INVALID_FIELD', 'both', { violations }));
    expect([...wrongFields(both)]).to.deep.equal([
      ['name', 'name is missing'],
      ['cron', 'cron is "x"'],
    ]);
    expect(wrongFields(new TypeError('Failed to fetch')).size).to.equal(0);
  });

  it('contains no address on the bus, and no header', () => {
    const away = refusal(new Failure('NOBODY_ANSWERS', 'Somewhere'));
    expect(actFailureText(away)).to.equal('muster’s registry does not answer: try again in a moment');
    const notNats = new ConnectError('The call names no caller: send the header "Authorization"', Code.Unauthenticated);
    expect(actFailureText(notNats)).to.include('muster open');
  });
});
