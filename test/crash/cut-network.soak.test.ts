import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Mail } from '#contract/mail.ts';
import type { ScheduleRun } from '#contract/schedule.ts';
import { agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import { layNetwork, type Network } from '#test/support/network.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';

const agents = 'agent.v1.AgentService';
const schedules = 'schedule.v1.ScheduleService';
const names = ['prompted', 'archived', 'deleted', 'mailed'] as const;
type Name = (typeof names)[number];

/**
 * The result of a call: the code of its refusal, empty if it was done, and how long that took in
 * milliseconds.
 */
interface Outcome {
  readonly code: string;
  readonly message: string;
  readonly tookMs: number;
}

/** Two hosts as separate machines on a network. One is partitioned and returns. */
describe('a host behind a network partition', () => {
  let network: Network;
  let pieces: Pieces;
  let far: Host;
  let noticed: string;
  let nearAgent = '';
  let scheduleId = '';
  const ids = new Map<Name, string>();
  const of = (name: Name) => ({ agentId: ids.get(name) ?? '' });

  before(async () => {
    network = await layNetwork();
    pieces = await setUpPieces(network.programOf, {}, network.setUpBus);
    await pieces.start('registry');
    await Promise.all((['host', 'gateway'] as const).map((piece) => pieces.start(piece)));
    const [near] = await hosts();
    await pieces.start('otherHost');
    far = (await hosts()).find(({ id }) => id !== near?.id) as Host;
    await pieces.call('host.v1.HostService/DrainHost', { hostId: far.id, undo: true });
    noticed = join(pieces.home, 'noticed');
    await pieces.call('fact.v1.FactService/UpdateNotify', {
      notify: { command: `echo "$MUSTER_EVENT" >> ${noticed}` },
    });
    const workflowId = await workflow('far', far.id ?? '');
    for (const name of names) ids.set(name, await launch(name, workflowId));
    nearAgent = await launch('near', await workflow('near', near?.id ?? ''));
    await Promise.all([...ids.values(), nearAgent].map(atRest));
    const given = { name: 'nightly', cron: '0 9 1 1 *', prompt: 'true', workflowId };
    scheduleId = (await pieces.call<{ schedule: { id: string } }>(`${schedules}/CreateSchedule`, given)).schedule.id;
  });
  after(async () => {
    network?.mend('otherHost');
    await pieces?.stop();
    await network?.close();
  });

  const hosts = async () => (await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;
  const isLost = async () => (await hosts()).some(({ id, state }) => id === far.id && state === 'HOST_STATE_LOST');
  const show = async (agentId: string): Promise<Agent | undefined> => {
    const { code, body } = await ask<{ agent: AgentRow }>(`${agents}/GetAgent`, { agentId });
    return code === 'not_found' ? undefined : body.agent.agent;
  };
  const atRest = (agentId: string) =>
    moment(`${agentId} is at rest`, async () => (await show(agentId))?.state === 'AGENT_STATE_IDLE');
  const prompt = (agentId: string, word: string) => ask(`${agents}/PromptAgent`, { agentId, prompt: `: ${word}` });
  const firing = async () =>
    (await pieces.call<{ runs?: ScheduleRun[] }>(`${schedules}/ListScheduleRuns`, { scheduleId })).runs?.[0];
  const mail = (body: string) => pieces.call(`${agents}/SendMail`, { ...of('mailed'), body });
  const notices = () =>
    existsSync(noticed)
      ? readFileSync(noticed, 'utf8')
          .split('\n')
          .filter((event) => event.startsWith('host-'))
      : [];

  async function workflow(name: string, host: string): Promise<string> {
    const given = { name, cwd: pieces.repository, harness: 'shell', provisionEnabled: false, host };
    return (await pieces.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', given))
      .workflow.id;
  }

  async function launch(title: string, workflowId: string): Promise<string> {
    const given = { prompt: 'true', title, workflowId };
    return (await pieces.call<{ agent: { id: string } }>(`${agents}/CreateAgent`, given)).agent.id;
  }

  /** Calls once, and ignores the result. */
  async function ask<T>(method: string, request: object): Promise<Outcome & { readonly body: T }> {
    const token = readFileSync(join(pieces.home, 'operator.token'), 'utf8').trim();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const begun = performance.now();
    const reply = await fetch(`${pieces.url}/${method}`, { method: 'POST', headers, body: JSON.stringify(request) });
    const body = (await reply.json()) as T & { code?: string; message?: string };
    const { code = '', message = '' } = reply.ok ? {} : body;
    return { code, message, tookMs: performance.now() - begun, body };
  }

  it('gets refusals at once, and continues once it is back', async () => {
    await mail('before');
    await pieces.call('host.v1.HostService/UpdateHost', { hostId: far.id, patienceSeconds: 30 });
    network.cut('otherHost');
    const early = prompt(ids.get('prompted') ?? '', 'word-early');
    await moment('the host is lost', isLost);
    const late = await prompt(ids.get('prompted') ?? '', 'word-late');
    expect([late.code, (await early).code]).to.deep.equal(['unavailable', 'unavailable']);
    expect(late.tookMs, late.message).to.be.below(1_000);
    expect((await prompt(nearAgent, 'word-near')).code).to.equal('');
    const [shown] = (await hosts()).filter(({ id }) => id === far.id);
    for (const name of names) expect((await show(ids.get(name) ?? ''))?.lastKnownAt, name).to.equal(shown?.seenAt);
    await moment('the notice', () => notices().length > 0);

    await pieces.call(`${agents}/ArchiveAgent`, of('archived'));
    await pieces.call(`${agents}/DeleteAgent`, of('deleted'));
    await pieces.call(`${schedules}/FireSchedule`, { scheduleId });
    await mail('meanwhile');
    for (const name of ['archived', 'deleted'] as const) {
      expect((await show(ids.get(name) ?? ''))?.stateReason, name).to.contain(`waits for host ${far.name}`);
    }
    const waiting = await moment('the firing waits', async () => {
      const run = await firing();
      return run?.message?.includes('waits for') ? run : undefined;
    });
    expect(waiting.message).to.contain(far.name);
    expect(waiting.agentId).to.equal(undefined);

    network.mend('otherHost');
    const mended = performance.now();
    await moment('the host is back', async () => !(await isLost()));
    const backMs = performance.now() - mended;
    const read = await ask(`${agents}/ReadPane`, of('prompted'));
    expect(read.code, read.message).to.equal('');
    expect(read.tookMs, 'the first read').to.be.below(2_000);
    console.log(
      `      ${network.kind}: back ${Math.round(backMs)} ms after the mend, first read in ${Math.round(read.tookMs)} ms`,
    );

    await moment('the archived one is at rest', async () => {
      const found = await show(ids.get('archived') ?? '');
      return found?.archivedAt !== undefined && found.alive !== true;
    });
    await moment('the deleted one is gone', async () => (await show(ids.get('deleted') ?? '')) === undefined);
    await moment('the firing launches', async () => (await firing())?.agentId);
    await moment('it is told once that it is back', () => notices().length > 1);
    expect(notices()).to.deep.equal(['host-lost', 'host-back']);
    expect((await show(ids.get('mailed') ?? ''))?.lastKnownAt).to.equal(undefined);
  });

  it('loses no mail and takes none twice', async () => {
    await mail('after');
    const caller = await agentCaller(pieces, ids.get('mailed') ?? '');
    const taken: string[] = [];
    for (let more = true; more; ) {
      const { mail: found = [] } = await caller.call<{ mail?: Mail[] }>('TakeMail', {});
      taken.push(...found.map(({ body = '' }) => body));
      more = found.length > 0;
    }
    expect(taken).to.deep.equal(['before', 'meanwhile', 'after']);
  });

  it('never types a refused prompt later', async () => {
    await moment('a prompt is taken', async () => (await prompt(ids.get('prompted') ?? '', 'word-after')).code === '');
    const shown = await moment('it shows', async () => {
      const { body } = await ask<object>(`${agents}/ReadPane`, of('prompted'));
      const text = JSON.stringify(body);
      return text.includes('word-after') ? text : undefined;
    });
    expect(shown).not.to.contain('word-early').and.not.to.contain('word-late');
  });
});
