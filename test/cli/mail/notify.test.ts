import { expect } from 'chai';
import { runInside } from '../command-line.ts';
import { fleetService } from '../fleet.ts';

describe('muster notify', () => {
  it('shows the last failed delivery', async () => {
    const service = await fleetService();
    const detail = JSON.stringify({ through: 'webhook', reason: 'no answer' });
    const at = '2026-11-21T08:00:00.000Z';
    service.on('fact.v1.FactService/GetNotify', () => ({ notify: { webhook: 'https://x/1' } }));
    service.on('fact.v1.FactService/ListFacts', () => ({
      facts: [
        { seq: '9', at, kind: 'agent.created', subjectId: 'agt_a' },
        { seq: '8', at, kind: 'notice.failed', subjectId: 'agt_a', detail },
      ],
    }));
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' };
    const { out } = await runInside(['notify'], { env, tty: true });
    await service.close();
    expect(out).to.match(/^last failure +2026-11-21T08:00:00\.000Z, by webhook: no answer$/m);
  });
});
