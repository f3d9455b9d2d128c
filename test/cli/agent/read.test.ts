import { expect } from 'chai';
import { runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

describe('muster read', () => {
  let service: FakeService;
  const pane = {
    screen: { text: '\u001b[1mhello\u001b[0m\u001b]0;evil\u0007\nworld', title: 't', width: 80, height: 24 },
    screenDigest: 'd1',
    reading: { state: 'AGENT_STATE_IDLE' as const, rule: 'claude/rest' },
    state: 'AGENT_STATE_IDLE' as const,
  };

  beforeEach(async () => {
    service = await fleetService();
    service.on('agent.v1.AgentService/ReadPane', () => pane);
  });
  afterEach(() => service.close());
  const read = (...argv: string[]) =>
    runInside(['read', 'busy', ...argv], { env: { MUSTER_URL: service.url, SERVICE_TOKEN: 't' } });

  it('prints the text of the pane, also into a pipe, without sequences that control a terminal', async () => {
    expect(await read()).to.deep.include({ code: 0, out: 'hello\\u001b]0;evil\\u0007\nworld\n' });
    expect((await read('-a')).out).to.equal('\u001b[1mhello\u001b[0m\\u001b]0;evil\\u0007\nworld\u001b[0m\n');
    expect(service.requestsOf('agent.v1.AgentService/ReadPane')).to.deep.equal([
      { agentId: 'agt_busy' },
      { agentId: 'agt_busy', attributes: true },
    ]);
  });

  it('prints everything as JSON', async () => {
    expect(JSON.parse((await read('-o', 'json')).out)).to.deep.equal(pane);
  });
});
