import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Host } from '#contract/host/host.ts';
import type { Mail } from '#contract/mail.ts';
import { agentCaller } from '#test/support/agent-caller.ts';
import { moment } from '#test/support/moment.ts';
import { ownProgram, type Piece, type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { type PackedRelease, packRelease } from './packed.ts';

const service = 'agent.v1.AgentService';
const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

/** Releases before and after this one: those beside it share a version of the messages with it, the others none. */
const releases = {
  previous: { version: '0.0.9', protocols: { min: 1, max: 1 } },
  next: { version: '0.2.0', protocols: { min: 1, max: 2 } },
  old: { version: '0.0.1', protocols: { min: 0, max: 0 } },
  far: { version: '0.9.0', protocols: { min: 2, max: 3 } },
} as const;
type Name = keyof typeof releases;

describe('neighbouring releases', function () {
  this.timeout(240_000);
  let place: TemporaryFolder;
  const packed = new Map<Name, PackedRelease>();
  /** Which release a process is of, where it is not of this one. */
  let mix: Partial<Record<Piece, Name>> = {};
  let pieces: Pieces;

  before(() => {
    place = temporaryFolder('skew');
    for (const name of ['previous', 'next', 'old', 'far'] as const)
      packed.set(name, packRelease(join(place.path, name), releases[name]));
  });
  after(() => place.remove());
  beforeEach(async () => {
    mix = {};
    pieces = await setUpPieces(
      (piece) => {
        const [node, file, ...args] = ownProgram(piece);
        const other = mix[piece];
        return [node, (other && packed.get(other)?.program) ?? file ?? '', ...args];
      },
      { MUSTER_LOG: 'error' },
    );
  });
  afterEach(() => pieces.stop());

  const hosts = async () => (await pieces.call<{ hosts?: Host[] }>('host.v1.HostService/ListHosts', {})).hosts ?? [];
  const show = async (agentId: string): Promise<Agent> =>
    (await pieces.call<{ agent: AgentRow }>(`${service}/GetAgent`, { agentId })).agent.agent ?? {};
  const logOf = (process: string) => {
    const folder = join(pieces.home, 'logs');
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(process)) : [];
    return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  };

  async function launch(): Promise<string> {
    const given = { name: 'skew', cwd: pieces.repository, harness: 'shell', provisionEnabled: true };
    const { workflow } = await pieces.call<{ workflow: { id: string } }>(
      'workflow.v1.WorkflowService/CreateWorkflow',
      given,
    );
    const request = { prompt: 'echo briefed', workflowId: workflow.id };
    const { agent } = await pieces.call<{ agent: { id: string } }>(`${service}/CreateAgent`, request);
    await moment('the agent is at rest', async () => (await show(agent.id)).state === 'AGENT_STATE_IDLE');
    return agent.id;
  }

  /** Launches an agent, prompts it, mails it, and deletes it. */
  async function work(): Promise<void> {
    const agentId = await launch();
    await pieces.call(`${service}/PromptAgent`, { agentId, prompt: 'echo prompted > prompted' });
    const { cwd = '' } = await show(agentId);
    await moment('it has done so', () => existsSync(join(cwd, 'prompted')));
    await pieces.call(`${service}/SendMail`, { agentId, body: 'hello' });
    const caller = await agentCaller(pieces, agentId);
    const { mail = [] } = await caller.call<{ mail?: Mail[] }>('TakeMail', {});
    expect(mail.map(({ body }) => body)).to.deep.equal(['hello']);
    await pieces.call(`${service}/StartReviewRound`, { agentId });
    await pieces.call(`${service}/DeleteAgent`, { agentId, force: true });
  }

  const start = async (...all: readonly Piece[]) => {
    for (const piece of all) await pieces.start(piece);
  };

  for (const [what, mixed] of [
    ['host of the previous one', { host: 'previous' }],
    ['gateway of the previous one', { gateway: 'previous' }],
    ['host and a gateway of the previous one', { host: 'previous', gateway: 'previous' }],
    ['registry of the next one', { registry: 'next' }],
  ] as const) {
    it(`a ${what} works with the rest of this one`, async () => {
      mix = mixed;
      await start('registry', 'host', 'gateway');
      await work();
      const [host] = await hosts();
      const registry = 'registry' in mixed ? releases.next.version : own.version;
      const runs = 'host' in mixed ? releases.previous.version : own.version;
      expect(host?.musterVersion).to.equal(runs);
      const faults = (host?.faults ?? []).filter((fault) => fault.startsWith('version'));
      const behind = `version: it runs muster ${runs}, and the registry runs ${registry}; update the older of the two, the registry first`;
      if (runs === registry) expect(faults).to.deep.equal([]);
      else expect(faults.join()).to.contain(behind);
    });
  }

  for (const [name, mend] of [
    ['old', 'Update muster where this host runs'],
    ['far', 'Update muster where the registry runs'],
  ] as const) {
    it(`a host of a release that is too ${name} does nothing, names the update, and leaves its windows`, async () => {
      await start('registry', 'host', 'gateway');
      const agentId = await launch();
      const socket = socketOf(socketFolder(join(pieces.home, 'run')), agentId);
      const panes = () =>
        execFileSync('tmux', ['-S', socket, 'list-panes', '-a', '-F', '#{pane_pid} #{pane_dead}'], {
          encoding: 'utf8',
        });
      const before = panes();
      await pieces.halt('host');
      mix = { host: name };
      // It counts as started once it has said why it waits.
      await pieces.start('host');
      await moment('it says what to update', () => logOf('host').includes(mend));
      expect(panes(), 'its windows stay').to.equal(before);
      await pieces.halt('host');
      mix = {};
      await pieces.start('host');
      await moment('the agent is back', async () => (await show(agentId)).alive === true);
      expect(panes()).to.equal(before);
    });
  }

  it('a gateway of an unsupported version answers with the update to install', async () => {
    mix = { gateway: 'far' };
    await start('registry', 'host', 'gateway');
    const token = readFileSync(join(pieces.home, 'operator.token'), 'utf8').trim();
    const reply = await fetch(`${pieces.url}/${service}/ListAgents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{}',
    });
    expect(reply.status).to.equal(503);
    expect(JSON.stringify(await reply.json())).to.contain('Update muster where the registry runs');
  });

  it('a registry of an unsupported version names the update to install', async () => {
    mix = { registry: 'far', gateway: 'far' };
    await start('registry', 'host', 'gateway');
    await moment('the host says it', () => logOf('host').includes('Update muster where this host runs'));
    expect(await hosts()).to.deep.equal([]);
  });
});
