import { expect } from 'chai';
import { reviewGuides } from '#contract/agent/review-guide.ts';
import type { Mail } from '#contract/mail.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

const path = 'agent.v1.AgentService';

describe('commands for mail and doorbells', () => {
  let service: FakeService;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });
  const letter: Mail = {
    id: 'mal_1',
    toName: 'lead',
    fromName: 'busy',
    subject: 'tests',
    body: 'They fail.',
    state: 'MAIL_STATE_RUNG',
    sentAt: '2026-11-21T08:00:00.000Z',
  };

  beforeEach(async () => {
    service = await fleetService();
    service.on(`${path}/SendMail`, () => ({ mail: letter }));
    service.on(`${path}/ListMail`, () => ({ mail: [letter] }));
    service.on(`${path}/TakeMail`, () => ({
      text: 'Mail mal_1\nThey \u001b[31mfail.\n',
      mail: [letter],
      claimId: 'c',
    }));
    const doorbells = [
      {
        id: 'bel_1',
        causes: [{ cause: 'DOORBELL_CAUSE_MAIL' as const, count: 2 }],
        raisedAt: '2026-11-21T08:00:00.000Z',
      },
    ];
    service.on(`${path}/ClaimDoorbells`, () => ({ doorbells }));
    service.onWatch(`${path}/WaitForDoorbells`, async function* () {
      yield { cursor: 'a' };
      yield { doorbells, cursor: 'b' };
    });
  });
  afterEach(() => service.close());

  it('send a text, standard input by default, and a file', async () => {
    const { out } = await muster(['mail', 'send', 'lead', 'hello', '-s', 'tests'], { tty: true });
    expect(out).to.equal('mal_1 is stored; lead will be notified when idle\n');
    await muster(['mail', 'send', 'lead', '--kind', 'report', '--in-reply-to', 'mal_0', '--key', 'k'], {
      stdin: 'in\n',
    });
    expect(service.requestsOf(`${path}/SendMail`)).to.deep.equal([
      { agentId: 'agt_lead', body: 'hello', subject: 'tests' },
      { agentId: 'agt_lead', body: 'in', kind: 'report', inReplyTo: 'mal_0', idempotencyKey: 'k' },
    ]);
  });

  it('report that mail to a held agent waits until it is released', async () => {
    const heldAt = '2026-11-21T08:00:00.000Z';
    service.on(`${path}/ListAgents`, () => ({ agents: [agentRow({ name: 'lead', heldAt })] }));
    const { out } = await muster(['mail', 'send', 'lead', 'hello'], { tty: true });
    expect(out).to.equal('mal_1 is stored; lead will be notified once it is given back (muster unhold lead)\n');
  });

  it('require a name from a person, and none from an agent', async () => {
    for (const words of ['mail ls', 'mail take', 'bell claim', 'bell wait']) {
      const env = { MUSTER_HOME: '/nowhere', MUSTER_URL: service.url };
      const { code, err } = await muster(words.split(' '), { env });
      expect([code, err]).to.deep.equal([2, `name an agent: muster ${words} NAME\n`]);
    }
  });

  it('list an agent’s mail, or one’s own, with its delivery state', async () => {
    const { out } = await muster(['mail', 'ls', 'lead', '--waiting'], { tty: true });
    expect(out).to.match(/^ID +FROM +STATE +SENT +ABOUT\nmal_1 +busy +notified +\S+ +tests\n$/);
    expect((await muster(['mail', 'ls', '--sent'], { tty: true })).out).to.match(/^ID +TO +STATE/);
    expect(service.requestsOf(`${path}/ListMail`)).to.deep.equal([
      { agentId: 'agt_lead', taken: false, pagination: { pageSize: 50 } },
      { box: 'MAIL_BOX_SENT', pagination: { pageSize: 50 } },
    ]);
  });

  it('print taken mail as text, on a terminal or not, and as a record on request', async () => {
    const { out } = await muster(['mail', 'take', '--claim', 'c']);
    expect(out)
      .to.match(/^Mail mal_1\nThey .*fail\.\n$/)
      .and.not.contain('\u001b');
    const { out: json } = await muster(['mail', 'take', 'lead', '-n', '3', '-o', 'json']);
    expect(JSON.parse(json)).to.deep.include({ claimId: 'c' });
    expect(service.requestsOf(`${path}/TakeMail`)).to.deep.equal([
      { claimId: 'c' },
      { agentId: 'agt_lead', limit: 3, view: 'VIEW_FULL' },
    ]);
  });

  it('explain an agent’s part in a review with a doorbell, as commands without tools', async () => {
    const briefing = reviewGuides.AGENT_ROLE_IMPLEMENTER;
    const causes = [{ cause: 'DOORBELL_CAUSE_REVIEW' as const, count: 1 }];
    service.on(`${path}/ClaimDoorbells`, () => ({ doorbells: [{ id: 'bel_1', causes }], briefing }));
    const { out } = await muster(['bell', 'claim'], { tty: true });
    expect(out).to.match(/^review comments \(1\), .*\nWhen your work is reviewed, muster review threads shows/);
    for (const command of ['review apply', 'review reply', 'review start']) expect(out).to.include(`muster ${command}`);
    expect(out).not.to.match(/[a-z]_[a-z]|[A-Z]_[A-Z]/);
    const [claimed] = JSON.parse((await muster(['bell', 'claim'])).out) as { briefing?: string }[];
    expect(claimed?.briefing).to.equal(out.slice(out.indexOf('\n') + 1, -1));
    const { out: help } = await muster(['review', '--help']);
    expect(help.replaceAll(/\s+/g, ' '))
      .to.include(out.slice(out.indexOf('\n') + 1, -1))
      .and.include(
        'Pin each comment to its lines with muster review comment: quote them in --quote with their markers',
      );
  });

  it('claim a doorbell, and wait for one', async () => {
    const told = /^mail \(2\), raised \S+ ago\n$/;
    expect((await muster(['bell', 'claim', 'lead'], { tty: true })).out).to.match(told);
    expect((await muster(['bell', 'wait'], { tty: true })).out).to.match(told);
    service.onWatch(`${path}/WaitForDoorbells`, async function* () {
      yield { cursor: 'a' };
    });
    expect(await muster(['bell', 'wait', '--timeout', '1'])).to.deep.include({ code: 10, out: '' });
  });

  it('report a refusal with the command line’s names', async () => {
    service.on(`${path}/SendMail`, () => {
      throw refusalWith('not_found', 'inReplyTo is "mal_x", and you have no such mail: list_mail shows what you have');
    });
    const { code, err } = await muster(['mail', 'send', 'lead', 'x']);
    expect([code, err]).to.deep.equal([
      4,
      '--in-reply-to is "mal_x", and you have no such mail: muster mail ls shows what you have\n',
    ]);
  });

  it('appear in the details of an agent', async () => {
    const { agent } = JSON.parse((await muster(['show', 'lead', '-o', 'json'])).out) as { agent: object };
    const rungAt = '2026-11-21T08:55:00.000Z';
    const row = { agent, unreadMail: true, unreadMailCount: 3, doorbellRaisedAt: rungAt, doorbellRungAt: rungAt };
    service.on(`${path}/ListAgents`, () => ({ agents: [row] }));
    service.on(`${path}/GetAgent`, () => ({ agent: row }));
    expect(
      (await muster(['ls'], { tty: true, size: { columns: 200, rows: 50, listeners: new Set() } })).out,
    ).to.contain('(mail 3, notified 5m ago)');
    const { out } = await muster(['show', 'lead'], { tty: true });
    expect(out)
      .to.match(/mail +3 wait/)
      .and.match(/doorbell +raised 5m ago, notified 5m ago, no response yet/);
  });
});
