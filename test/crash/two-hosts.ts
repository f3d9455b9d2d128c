import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Mail } from '#contract/mail.ts';
import { type AgentCaller, agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import type { Machine } from '#test/support/network.ts';
import type { Pieces } from '#test/support/pieces.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';

const agents = 'agent.v1.AgentService';
/** The silence limit of tests, in seconds: the minimum that a person can set. */
export const patienceSeconds = 30;
/** By when rows say that a host is silent, and by when all is as before once it is back, in milliseconds. */
const [toldWithin, healedWithin] = [32_000, 10_000];

/** How a host is silenced. */
export interface Outage {
  begin(): void;
  end(): void;
  /** How long, in milliseconds. */
  readonly lastsMs: number;
}

/** A host, and an agent on it at rest that gets mail. */
export interface Subject {
  readonly hostId: string;
  readonly agentId: string;
  readonly caller: AgentCaller;
  /** Its pane in its terminal. */
  readonly socket: string;
  readonly paneId: string;
}

/** Has an installation with two hosts run, with an agent on each. */
export async function bringUpTwoHosts(pieces: Pieces): Promise<readonly [near: Subject, far: Subject]> {
  await pieces.start('registry');
  await Promise.all((['host', 'gateway'] as const).map((piece) => pieces.start(piece)));
  const [near] = await hostsOf(pieces);
  await pieces.start('otherHost');
  const far = (await hostsOf(pieces)).find(({ id }) => id !== near?.id);
  await pieces.call('host.v1.HostService/DrainHost', { hostId: far?.id, undo: true });
  for (const host of [near, far])
    await pieces.call('host.v1.HostService/UpdateHost', { hostId: host?.id, patienceSeconds });
  return Promise.all([subjectOn(pieces, 'host', near), subjectOn(pieces, 'otherHost', far)]);
}

export const hostsOf = async (pieces: Pick<Pieces, 'call'>) =>
  (await pieces.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {})).hosts;

async function subjectOn(pieces: Pieces, piece: Machine, host: Host | undefined): Promise<Subject> {
  const hostId = host?.id ?? '';
  const given = { name: piece, cwd: pieces.repository, harness: 'shell', provisionEnabled: false, host: hostId };
  const { workflow } = await pieces.call<{ workflow: { id: string } }>(
    'workflow.v1.WorkflowService/CreateWorkflow',
    given,
  );
  const { agent } = await pieces.call<{ agent: { id: string } }>(`${agents}/CreateAgent`, {
    prompt: 'true',
    title: piece,
    workflowId: workflow.id,
  });
  await moment(`the agent on ${piece} is at rest`, async () => (await show(pieces, agent.id)).state === idle);
  const run = join(piece === 'host' ? pieces.home : pieces.otherHome, 'run');
  const socket = socketOf(socketFolder(run), agent.id);
  // The first window of a terminal is muster's own.
  const paneId = tmux(socket, 'list-panes', '-a', '-F', '#{pane_id}').trim().split('\n').at(-1) ?? '';
  return { hostId, agentId: agent.id, caller: await agentCaller(pieces, agent.id), socket, paneId };
}

const idle = 'AGENT_STATE_IDLE';

export async function show(pieces: Pick<Pieces, 'call'>, agentId: string): Promise<Agent> {
  return (await pieces.call<{ agent: AgentRow }>(`${agents}/GetAgent`, { agentId })).agent.agent ?? {};
}

/**
 * Puts a host through an outage, and checks that it neither loses nor doubles mail, that it types what was answered as
 * done once and nothing that was refused, that its agent's row shows the known state, and that everything recovers
 * soon.
 */
export async function endure(pieces: Pieces, subject: Subject, name: string, outage: Outage): Promise<void> {
  const { agentId, hostId } = subject;
  const mail = (body: string) => pieces.call(`${agents}/SendMail`, { agentId, body });
  const rungAtFirst = rings(subject);
  await mail(`${name} before`);
  await moment('the doorbell has rung', async () => {
    const { mail: all } = await pieces.call<{ mail: Mail[] }>(`${agents}/ListMail`, { agentId });
    return all.every(({ state }) => state !== 'MAIL_STATE_ACCEPTED');
  });
  expect(rings(subject), `${name}: rings before`).to.equal(rungAtFirst + 1);
  expect(await take(subject), `${name}: mail before`).to.deep.equal([`${name} before`]);

  outage.begin();
  const begun = performance.now();
  await mail(`${name} meanwhile`);
  const early = prompt(pieces, agentId, `${name}-early`);
  if (outage.lastsMs > toldWithin) {
    const told = await moment('its row says that it is not known', async () => {
      const row = await show(pieces, agentId);
      return row.lastKnownAt === undefined ? undefined : row;
    });
    expect(performance.now() - begun, `${name}: told`).to.be.below(toldWithin);
    const host = (await hostsOf(pieces)).find(({ id }) => id === hostId);
    expect(told.lastKnownAt, name).to.equal(host?.seenAt);
    expect(told.alive, name).to.equal(undefined);
    expect(host?.state, name).to.be.oneOf(['HOST_STATE_SILENT', 'HOST_STATE_LOST']);
    const late = await prompt(pieces, agentId, `${name}-late`);
    expect(late, name).to.equal('unavailable');
  }
  const earlyCode = await early;
  await moment('the outage is over', () => performance.now() - begun > outage.lastsMs, outage.lastsMs + 5_000);
  const [wasLost] = (await hostsOf(pieces)).filter(({ id, state }) => id === hostId && state === 'HOST_STATE_LOST');
  outage.end();

  const ended = performance.now();
  await moment('its row is alive, and the doorbell rings', async () => {
    const row = await show(pieces, agentId);
    return row.lastKnownAt === undefined && row.alive === true && rings(subject) >= rungAtFirst + 2;
  });
  const healedMs = performance.now() - ended;
  expect(healedMs, `${name}: healed`).to.be.below(healedWithin);
  expect(await take(subject), `${name}: mail`).to.deep.equal([`${name} meanwhile`]);
  await moment('it is at rest', async () => (await show(pieces, agentId)).state === idle);
  expect(await prompt(pieces, agentId, `${name}-after`), name).to.equal('');
  const text = await moment('what was typed last shows', () => {
    const shown = paneText(subject);
    return shown.includes(`: ${name}-after`) ? shown : undefined;
  });
  const times = (word: string) => text.split(`: ${name}-${word}`).length - 1;
  expect(times('after'), `${name}: typed once`).to.equal(1);
  expect(times('late'), `${name}: refused`).to.equal(0);
  // One that was answered with neither may have been typed, and then once.
  expect(times('early'), `${name}: ${earlyCode}`).to.be.within(
    earlyCode === '' ? 1 : 0,
    ['', 'deadline_exceeded'].includes(earlyCode) ? 1 : 0,
  );
  expect(rings(subject), `${name}: rings`).to.equal(rungAtFirst + 2);
  console.log(
    `      ${name}: healed in ${Math.round(healedMs)} ms${wasLost === undefined ? '' : ', was lost'}; early: ${earlyCode || 'done'}`,
  );
}

/** The result of a prompt: the code of its refusal, empty where it was typed. */
async function prompt(pieces: Pieces, agentId: string, word: string): Promise<string> {
  const token = readFileSync(join(pieces.home, 'operator.token'), 'utf8').trim();
  const reply = await fetch(`${pieces.url}/${agents}/PromptAgent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ agentId, prompt: `: ${word}` }),
  });
  const { code = '' } = (await reply.json()) as { code?: string };
  return reply.ok ? '' : code;
}

/** Takes an agent's mail until there is none, and returns the texts in order. */
async function take({ caller }: Subject): Promise<string[]> {
  const taken: string[] = [];
  for (let more = true; more; ) {
    const { mail = [] } = await caller.call<{ mail?: Mail[] }>('TakeMail', {});
    taken.push(...mail.map(({ body = '' }) => body));
    more = mail.length > 0;
  }
  return taken;
}

/** How often a doorbell was typed into an agent's pane. */
const rings = (subject: Subject): number => paneText(subject).split('you have mail (').length - 1;

/** All that an agent's pane has shown, as tmux itself has it: also while its host is silent. */
const paneText = ({ socket, paneId }: Subject): string =>
  tmux(socket, 'capture-pane', '-p', '-J', '-S', '-', '-t', paneId);

const tmux = (socket: string, ...args: string[]) => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' });
