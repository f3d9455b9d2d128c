import { Code, ConnectError } from '@connectrpc/connect';
import { expect } from 'chai';
import { actFailureText, failureText, isWorthAskingAgain } from '#page/api/failure-text.ts';

const refused = new ConnectError('Agent "ada" cannot be held: it has no window', Code.FailedPrecondition);
const unheard = [
  new TypeError('Failed to fetch'),
  new TypeError('NetworkError when attempting to fetch resource.'),
  new TypeError('Load failed'),
  new ConnectError('', Code.Unavailable),
  new ConnectError('No answer on rpc.agent.v1.AgentService.HoldAgent within 10000 ms', Code.DeadlineExceeded),
  new ConnectError('The bus cannot be reached for rpc.agent.v1.AgentService.HoldAgent: try again', Code.Unavailable),
];

describe('what the page says of a call that came to nothing', () => {
  it('is what the service says, where it refused', () => {
    expect(failureText(refused)).to.equal(refused.rawMessage);
    expect(actFailureText(refused)).to.equal(refused.rawMessage);
    expect(isWorthAskingAgain(refused)).to.equal(false);
  });

  it('is never that nothing was done, where no answer came', () => {
    for (const error of unheard) {
      expect(actFailureText(error), error.message).to.include('may have been done, or not');
      expect(failureText(error), error.message).to.equal('muster cannot be reached');
      expect(isWorthAskingAgain(error), error.message).to.equal(true);
    }
  });

  it('speaks of no address on the bus, and of no header', () => {
    const away = new ConnectError('Nobody answers on rpc.agent.v1.AgentService.HoldAgent right now', Code.Unavailable);
    expect(actFailureText(away)).to.equal('muster’s registry is away: try again in a moment');
    const stranger = new ConnectError(
      'The call names no caller: send the header "Authorization"',
      Code.Unauthenticated,
    );
    expect(actFailureText(stranger)).to.include('muster open');
  });
});
