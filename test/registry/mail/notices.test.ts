import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Notify } from '#contract/fact/notify.ts';
import type { Workflow } from '#contract/workflow.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Posted {
  readonly event: string;
  readonly text: string;
  readonly seq: string;
  readonly agent: { readonly id: string; readonly name: string };
}

describe('notices for people', () => {
  let fixture: RegistryFixture;
  let server: Server;
  let address: string;
  let posted: Posted[];
  /** What the webhook answers. */
  let status: number;

  beforeEach(async () => {
    fixture = await registryFixture();
    posted = [];
    status = 200;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        posted.push(JSON.parse(body) as Posted);
        response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterEach(async () => {
    await fixture.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const notifyPerson = async (notify: Notify) =>
    (await fixture.call<{ notify?: Notify }>('UpdateNotify', { notify })).notify;
  const codeOf = async (notify: Notify) => (await failureOf(() => notifyPerson(notify))).code;
  const reads = (state: 'AGENT_STATE_IDLE' | 'AGENT_STATE_WAITING' | 'AGENT_STATE_THINKING', reason = '') =>
    ({ type: 'READING', reading: { state, reason } }) as const;
  const atWork = async (name: string, workflowId?: string) => {
    const { id } = await fixture.create({
      provisionEnabled: false,
      title: name,
      ...(workflowId ? { workflowId } : {}),
    });
    await fixture.host.bringUp(id);
    return id;
  };

  it('are posted when an agent begins to wait and when it finishes, once each', async () => {
    await notifyPerson({ webhook: address });
    const id = await atWork('worker');
    await fixture.host.tell(id, reads('AGENT_STATE_WAITING', 'permission: rm'));
    await fixture.host.tell(id, reads('AGENT_STATE_WAITING', 'permission: ls'));
    await fixture.host.tell(id, reads('AGENT_STATE_THINKING'));
    await fixture.host.tell(id, reads('AGENT_STATE_IDLE'));
    await moment('two notices', () => posted.length >= 2);
    const [waits, finished] = posted.toSorted((a, b) => Number(a.seq) - Number(b.seq));
    expect(waits).to.include({ event: 'waiting', text: 'worker waits for you: permission: rm' });
    expect(waits?.agent).to.include({ id, name: 'worker' });
    expect(finished).to.include({ event: 'finished', text: 'worker has finished' });
    expect(posted).to.have.length(2);
    const killed = { kind: 'killed', signal: 'SIGKILL' } as const;
    await fixture.host.tell(id, { type: 'PANE_GONE', reason: 'killed', briefed: true, at: 1, ending: killed });
    await moment('its end', () => posted.length >= 3);
    expect(posted[2]).to.include({ event: 'ended', text: 'worker has ended: killed' });
  });

  it('contain the agent’s question instead of its kind', async () => {
    await notifyPerson({ webhook: address });
    const asked = 'Bash command · npm run deploy · Do you want to proceed?';
    const reading = { state: 'AGENT_STATE_WAITING', reason: 'permission', asked } as const;
    await fixture.host.tell(await atWork('worker'), { type: 'READING', reading });
    await moment('a notice', () => posted.length > 0);
    expect(posted[0]?.text).to.equal(`worker waits for you: ${asked}`);
    expect(posted[0]?.agent).to.include({ stateReason: 'permission', waitingFor: asked });
  });

  it('include failed launches, and only requested kinds', async () => {
    await notifyPerson({ webhook: address, on: ['NOTICE_KIND_FAILED'] });
    const waiting = await atWork('waiter');
    await fixture.host.tell(waiting, reads('AGENT_STATE_WAITING'));
    const { id } = await fixture.create({ provisionEnabled: false, title: 'broken' });
    await fixture.host.tell(id, { type: 'STEP_FAILED', step: 'opening', reason: 'no such program' });
    await moment('a notice', () => posted.length > 0);
    expect(posted.map(({ event, text }) => `${event}: ${text}`)).to.deep.equal([
      'failed: broken failed: opening: no such program',
    ]);
  });

  it('run a command, with the details in its environment', async () => {
    const file = `${fixture.folder.path}/told`;
    await notifyPerson({
      command: `printf '%s|%s|%s' "$MUSTER_EVENT" "$MUSTER_TEXT" "$MUSTER_AGENT_NAME" > ${file}.new; mv ${file}.new ${file}`,
    });
    const id = await atWork('a "quoted" $(name)');
    await fixture.host.tell(id, reads('AGENT_STATE_WAITING', '$(touch x)'));
    await moment('the command', () => existsSync(file));
    expect(readFileSync(file, 'utf8')).to.equal(
      'waiting|a "quoted" $(name) waits for you: $(touch x)|a "quoted" $(name)',
    );
  });

  it('include a workflow’s own, which agents cannot read', async () => {
    const { id: workflowId } = await fixture.workflow({ notify: { webhook: address, on: ['NOTICE_KIND_WAITING'] } });
    const inside = await atWork('inside', workflowId);
    await fixture.host.tell(await atWork('outside'), reads('AGENT_STATE_WAITING'));
    await fixture.host.tell(inside, reads('AGENT_STATE_WAITING'));
    await moment('a notice', () => posted.length > 0);
    expect(posted.map(({ agent }) => agent.name)).to.deep.equal(['inside']);
    const shown = async (as: 'person' | { agentId: string }) =>
      (await fixture.call<{ workflow: Workflow }>('GetWorkflow', { workflowId }, as)).workflow;
    expect((await shown('person')).notify?.webhook).to.equal(address);
    expect(await shown({ agentId: inside })).not.to.have.property('notify');
    const { workflows } = await fixture.call<{ workflows: Workflow[] }>('ListWorkflows', {}, { agentId: inside });
    for (const one of workflows) expect(one).not.to.have.property('notify');
  });

  it('are sent to one address once, even if person and workflow both name it', async () => {
    await notifyPerson({ webhook: address });
    const { id: workflowId } = await fixture.workflow({ notify: { webhook: address } });
    await fixture.host.tell(await atWork('one', workflowId), reads('AGENT_STATE_WAITING'));
    await fixture.host.tell(await atWork('two', workflowId), reads('AGENT_STATE_WAITING'));
    await moment('both', () => posted.some(({ agent }) => agent.name === 'two'));
    expect(posted).to.have.length(2);
  });

  it('are retried, also after a restart, and given up eventually with a report', async () => {
    status = 503;
    // The time that passes makes the host one that is lost, which is not what is tried here.
    await notifyPerson({ webhook: address, on: ['NOTICE_KIND_WAITING', 'NOTICE_KIND_FINISHED'] });
    const id = await atWork('worker');
    await fixture.host.tell(id, reads('AGENT_STATE_WAITING'));
    await moment('the first try', () => posted.length === 1);
    const failures = async () => {
      const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', {
        subjectId: id,
      });
      return facts.filter(({ kind }) => kind === 'notice.failed').map(({ detail }) => detail);
    };
    const tries = async () => (await fixture.database.rowsIn('notice'))[0]?.['tries'];
    await moment('the first to be put off', async () => Number(await tries()) === 1);
    await fixture.restart();
    for (let at = 2; at <= 5; at += 1) {
      fixture.clock.pass(600_000);
      await moment(`try ${at}`, () => posted.length === at);
      await moment('it to be put off', async () => Number((await tries()) ?? at) === at);
    }
    await moment('it to be given up', async () => (await failures()).length === 1);
    expect((await failures())[0]).to.include('503');
    fixture.clock.pass(6_000_000);
    status = 200;
    await fixture.host.tell(id, reads('AGENT_STATE_IDLE'));
    await moment('the next one', () => posted.some(({ event }) => event === 'finished'));
    expect(posted).to.have.length(6);
  });

  it('delay no other: only a silent address waits', async () => {
    const file = `${fixture.folder.path}/told`;
    await notifyPerson({ webhook: 'http://127.0.0.1:9/', command: `touch ${file}` });
    await fixture.host.tell(await atWork('worker'), reads('AGENT_STATE_WAITING'));
    await moment('the command', () => existsSync(file));
  });

  it('are tested at once, with the result', async () => {
    const { code } = await failureOf(() => fixture.call('TestNotify'));
    expect(code).to.equal('failed_precondition');
    status = 302;
    await notifyPerson({ webhook: address, command: 'echo no; exit 3' });
    const { results } = await fixture.call<{ results: { through: string; failure: string }[] }>('TestNotify');
    expect(results).to.deep.equal([
      { through: 'webhook', failure: 'the other side answered 302' },
      { through: 'command', failure: 'the command ended with 3: no' },
    ]);
    expect(posted[0]).to.include({ event: 'test' });
  });

  it('are saved as set, and refused without a valid target', async () => {
    expect(await notifyPerson({ webhook: address, on: ['NOTICE_KIND_WAITING', 'NOTICE_KIND_WAITING'] })).to.deep.equal({
      webhook: address,
      on: ['NOTICE_KIND_WAITING'],
    });
    for (const webhook of ['nowhere', 'file:///etc/passwd', 'https://me:secret@example.org/', 'x'.repeat(2_049)]) {
      expect(await codeOf({ webhook }), webhook.slice(0, 40)).to.equal('invalid_argument');
    }
    expect(await codeOf({ command: 'a\0b' })).to.equal('invalid_argument');
    const refused = await failureOf(() => notifyPerson({ webhook: 'https://me:secret@example.org/' }));
    expect(refused.message).not.to.include('secret');
    const { notify } = await fixture.call<{ notify: Notify }>('GetNotify');
    expect(notify.webhook).to.equal(address);
    expect(await notifyPerson({})).to.deep.equal({});
  });
});
