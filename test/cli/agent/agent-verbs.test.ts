import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import { refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

const paths = {
  archive: 'agent.v1.AgentService/ArchiveAgent',
  restore: 'agent.v1.AgentService/RestoreAgent',
  retry: 'agent.v1.AgentService/RetryAgent',
  delete: 'agent.v1.AgentService/DeleteAgent',
} as const;
type Verb = keyof typeof paths;

describe('archive, restore, retry and delete', () => {
  let service: FakeService;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });
  const person = (...argv: string[]) => muster(argv, { tty: true });
  const requests = (verb: Verb) => service.requestsOf(paths[verb]);

  /**
   * Accepts every request, and from then on shows an agent as what is given, one after another; nothing: it is gone.
   */
  const becomes = (...moves: readonly (Partial<Agent> | 'gone')[]): void => {
    for (const path of Object.values(paths)) service.on(path, ({ agentId }) => ({ agent: { id: agentId } }));
    const looks = new Map<string, number>();
    service.on('agent.v1.AgentService/GetAgent', ({ agentId }) => {
      const look = looks.get(agentId) ?? 0;
      looks.set(agentId, look + 1);
      const move = moves[Math.min(look, moves.length - 1)];
      if (move === 'gone') throw refusalWith('not_found', 'There is no such agent');
      return { agent: agentRow({ id: agentId, name: agentId.slice(4), ...move }) };
    });
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [agentRow({ name: 'stranger' })], cursor: '1' };
      for (const id of ['agt_stranger', 'agt_lead', 'agt_busy', 'agt_broken', 'agt_old'].flatMap((one) => [one, one])) {
        yield { agents: [agentRow({ id, name: 'x' })], cursor: '2' };
      }
      await new Promise(() => {});
    });
  };

  beforeEach(async () => {
    service = await fleetService();
  });
  afterEach(() => service.close());

  it('wait for the result, and print it', async () => {
    const archivedAt = '2026-11-21T09:00:00.000Z';
    becomes({ archivedAt }, { archivedAt, alive: false });
    expect(await person('archive', 'lead', 'b')).to.deep.equal({
      code: 0,
      out: 'lead is archived: muster restore lead brings it back\nbusy is archived: muster restore busy brings it back\n',
      err: '',
    });
    expect(requests('archive')).to.deep.equal([{ agentId: 'agt_lead' }, { agentId: 'agt_busy' }]);
    becomes({ state: 'AGENT_STATE_SETTING_UP' }, { state: 'AGENT_STATE_UNCERTAIN', stateReason: 'resumed' });
    expect((await person('restore', 'old')).out).to.equal('old is running again\n');
    becomes({ state: 'AGENT_STATE_SETTING_UP' }, { state: 'AGENT_STATE_WAITING', stateReason: 'trust' });
    expect((await person('retry', 'broken')).out).to.equal('broken is running again: WAITING (trust)\n');
    becomes({ alive: false }, 'gone');
    expect(await person('delete', 'lead')).to.deep.equal({ code: 0, out: 'lead is deleted\n', err: '' });
  });

  it('abandon an agent with its host, print its losses, and wait for nothing', async () => {
    const givenUp = ['the worktree /trees/lead', 'the branch muster/lead'];
    const asked = ({ agentId }: { agentId: string }) => ({
      agent: { id: agentId },
      ...(agentId === 'agt_lead' && { givenUp }),
    });
    service.on(paths.delete, asked);
    const { code, out } = await person('delete', '--abandon', 'lead', 'busy');
    expect(code).to.equal(0);
    for (const one of ['lead', 'busy', ...givenUp]) expect(out).to.contain(one);
    expect(requests('delete')).to.deep.equal(['agt_lead', 'agt_busy'].map((agentId) => ({ agentId, abandon: true })));
    expect(JSON.parse((await muster(['delete', '--abandon', 'lead'])).out)).to.deep.equal([
      { goneAgentId: 'agt_lead', givenUp },
    ]);
    const both = await person('delete', '--abandon', '--force', 'lead');
    expect(both.code).to.equal(2);
    expect(requests('delete')).to.have.length(3);
  });

  it('distinguish failures that a retry fixes', async () => {
    const stood = (agent: Partial<Agent>) =>
      service.on('agent.v1.AgentService/ListAgents', () => ({
        agents: [agentRow({ name: 'lead', state: 'AGENT_STATE_FAILED_TO_CLEANUP', ...agent })],
      }));
    const archivedAt = '2026-11-21T09:00:00.000Z';
    const accepted = (agent: Partial<Agent>) =>
      service.on(paths.retry, ({ agentId }) => ({ agent: { id: agentId, ...agent } }));
    const deleting = { state: 'AGENT_STATE_UNCERTAIN', alive: false, deleting: true, stateReason: 'words' } as const;
    const waiting = { ...deleting, stateReason: 'other words' };
    for (const before of [{ alive: true }, { alive: false, archivedAt }]) {
      stood(before);
      becomes({ ...before, ...deleting }, { ...before, ...waiting }, 'gone');
      accepted({ ...before, ...deleting });
      expect((await person('retry', 'lead')).out).to.equal('lead is deleted\n');
    }
    // One whose archiving failed is shown until it is tried again.
    stood({ alive: true });
    becomes({ alive: true, archivedAt }, { archivedAt, lastKnownAt: archivedAt }, { alive: false, archivedAt });
    accepted({ state: 'AGENT_STATE_UNCERTAIN', alive: true, archivedAt });
    expect((await person('retry', 'lead')).out).to.match(/^lead is archived/);
  });

  it('report a refused deletion and what would be lost, and exit with 6', async () => {
    const refusedDeletion = 'this would be lost: 1 untracked file: a.txt. Save it, or delete with force';
    service.on(paths.delete, ({ agentId }) => ({ agent: { id: agentId, deleting: true } }));
    const kept = { state: 'AGENT_STATE_IDLE', refusedDeletion } as const;
    becomes({ state: 'AGENT_STATE_IDLE', deleting: true }, kept);
    const said = { code: 6, err: `lead is kept: ${refusedDeletion.replace('with force', 'with --force')}\n` };
    expect(await person('delete', 'lead')).to.deep.include(said);
    becomes(kept);
    const { err } = await muster(['delete', 'lead', '-o', 'json']);
    expect(JSON.parse(err)).to.include({ code: 'failed_precondition', reason: 'WORK_WOULD_BE_LOST' });
  });

  it('report a failure, process the other agents, and exit with 6', async () => {
    const kept = { state: 'AGENT_STATE_FAILED_TO_CLEANUP', stateReason: 'inspecting: 1 file would be lost\n' } as const;
    becomes({ alive: false }, kept);
    expect(await person('delete', 'lead', 'busy')).to.deep.equal({
      code: 6,
      out: '',
      err:
        'lead is kept: inspecting: 1 file would be lost; muster restore lead resumes it, but without muster’s tools: its token is revoked\n' +
        'busy is kept: inspecting: 1 file would be lost; muster restore busy resumes it, but without muster’s tools: its token is revoked\n',
    });
    becomes({ state: 'AGENT_STATE_SETTING_UP' }, { state: 'AGENT_STATE_FAILED_TO_CREATE', stateReason: 'no codex' });
    expect(await person('retry', 'broken')).to.deep.include({ code: 6, err: 'broken failed again: no codex\n' });
    becomes('gone');
    service.on(paths.delete, ({ agentId }) => {
      if (agentId === 'agt_lead') throw refusalWith('permission_denied', 'not yours');
      return { agent: { id: agentId } };
    });
    expect(await person('delete', 'lead', 'busy')).to.deep.equal({
      code: 8,
      out: 'busy is deleted\n',
      err: 'not yours\n',
    });
  });

  it('report where a forced deletion keeps unsaved work, if any', async () => {
    const repository = '/src/an app/.git';
    service.on('fact.v1.FactService/ListFacts', ({ subjectId }) => {
      const kept = subjectId === 'agt_lead' ? { kept: 'refs/muster/kept/agt_lead', repository } : {};
      return { facts: [{ seq: '9', kind: 'agent.gone', subjectId, at: '', detail: JSON.stringify(kept) }] };
    });
    becomes('gone');
    const { out } = await person('delete', 'lead', 'busy', '--force');
    expect(requests('delete')).to.deep.equal([
      { agentId: 'agt_lead', force: true },
      { agentId: 'agt_busy', force: true },
    ]);
    expect(out).to.equal(
      'lead is deleted\nIts unsaved work is kept: ' +
        "git '--git-dir=/src/an app/.git' branch rescued refs/muster/kept/agt_lead makes a branch from it\nbusy is deleted\n",
    );
    expect((await person('delete', 'lead')).out).to.equal('lead is deleted\n');
  });

  it('name the children that stay archived when their parent is restored', async () => {
    service.on('agent.v1.AgentService/ListAgents', ({ archived = false }) => ({
      agents: archived
        ? [agentRow({ name: 'kid', parentAgentId: 'agt_old', archivedAt: 'x' })]
        : [agentRow({ name: 'old', alive: false })],
    }));
    becomes({ state: 'AGENT_STATE_IDLE' });
    expect((await person('restore', 'old')).out).to.equal(
      'old is running again: IDLE\nIts children stay archived: muster restore kid brings them back\n',
    );
  });

  it('end once a restored or retried agent waits for a host, with the reason', async () => {
    const stateReason = 'waits for a host that can take it: no host has zone=q; place 1 in the queue';
    becomes({ state: 'AGENT_STATE_SETTING_UP', queued: true, stateReason });
    for (const verb of ['restore', 'retry'])
      expect((await person(verb, 'old')).out, verb).to.equal(`old ${stateReason}\n`);
  });

  it('print the resulting agents for a program, and each failure as JSON', async () => {
    const rests = { state: 'AGENT_STATE_IDLE' } as const;
    becomes(rests);
    const agents = JSON.parse((await muster(['restore', 'old', 'lead'])).out) as Agent[];
    expect(agents.map(({ id, state }) => ({ id, state }))).to.deep.equal([
      { id: 'agt_old', ...rests },
      { id: 'agt_lead', ...rests },
    ]);
    becomes('gone');
    expect((await muster(['delete', 'lead', '-o', 'jsonl'])).out).to.equal('{"goneAgentId":"agt_lead"}\n');
    becomes({ state: 'AGENT_STATE_FAILED_TO_CLEANUP', stateReason: 'no' });
    const { out, err, code } = await muster(['delete', 'lead', '-o', 'json']);
    expect({ out, code }).to.deep.equal({ out: '[]\n', code: 6 });
    expect(JSON.parse(err)).to.deep.equal({
      code: 'failed_precondition',
      message: 'lead is kept: no; muster restore lead resumes it, but without muster’s tools: its token is revoked',
      reason: 'CHANGE_FAILED',
    });
  });

  it('erase their waiting notice on a terminal', async () => {
    becomes({ alive: false }, 'gone');
    const said = { terminal: '', pipe: '' };
    service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
      yield { agents: [], cursor: '1' };
      await moment('the word', () => said.terminal !== '' && said.pipe !== '');
      yield { agents: [], goneAgentIds: ['agt_lead', 'agt_busy'], cursor: '2' };
    });
    const word = 'lead is still being deleted; Ctrl-C ends only the waiting\n';
    const [terminal, pipe] = await Promise.all([
      muster(['delete', 'lead'], { tty: true, onErr: (err) => Object.assign(said, { terminal: err }) }),
      muster(['delete', 'busy', '-o', 'table'], { onErr: (err) => Object.assign(said, { pipe: err }) }),
    ]);
    expect(terminal).to.deep.equal({ code: 0, out: 'lead is deleted\n', err: `${word}\u001b[1A\u001b[2K` });
    expect(pipe.err).to.equal(word.replace('lead', 'busy'));
  });

  it('end at once with the flag not to wait', async () => {
    becomes({ alive: false });
    expect((await person('delete', 'lead', '--no-wait')).out).to.equal('lead is being deleted\n');
    expect(JSON.parse((await muster(['delete', 'lead', '--no-wait'])).out)).to.deep.equal([{ id: 'agt_lead' }]);
    expect(service.requestsOf('agent.v1.AgentService/WatchAgents')).to.deep.equal([]);
  });

  it('do nothing if one of the names is unknown', async () => {
    becomes('gone');
    const { code, err } = await person('archive', 'lead', 'none');
    expect(code).to.equal(4);
    expect(err).to.match(/^There is no agent "none".* \(nothing was done to the others\)\n$/);
    expect(requests('archive')).to.deep.equal([]);
    expect((await person('archive', 'none')).err).not.to.include('others');
  });
});
