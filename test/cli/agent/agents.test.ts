import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { Failure } from '#contract/failure.ts';
import type { LeftBehind } from '#contract/operations/create-agent.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

describe('commands for people', () => {
  let service: FakeService;
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' }, ...setting });
  beforeEach(async () => {
    service = await fleetService();
  });
  afterEach(() => service.close());

  describe('find the agent that a name means', () => {
    const shown = async (name: string) => {
      const { out, err, code } = await muster(['show', name]);
      return code === 0 ? (JSON.parse(out) as AgentRow).agent?.name : { err, code };
    };

    it('in one call, without listing anything', async () => {
      expect(await shown('lead')).to.equal('lead');
      expect(service.calls.map(({ path }) => path)).to.deep.equal(['agent.v1.AgentService/FindAgent']);
      expect(service.requestsOf('agent.v1.AgentService/FindAgent')).to.deep.equal([{ called: 'lead' }]);
    });

    it('archived ones first for restore', async () => {
      service.on('agent.v1.AgentService/RestoreAgent', ({ agentId }) => ({ agent: { id: agentId } }));
      await muster(['restore', 'old', '--no-wait']);
      expect(service.requestsOf('agent.v1.AgentService/FindAgent')).to.deep.equal([
        { called: 'old', archivedFirst: true },
      ]);
    });

    it('never by a prefix of a name, to delete it', async () => {
      const { err, code } = await muster(['delete', 'bro', '--force']);
      expect(code).to.equal(4);
      expect(err).to.equal('there is no agent "bro": if you mean broken (agt_broken), write its whole name\n');
      expect(service.requestsOf('agent.v1.AgentService/DeleteAgent')).to.deep.equal([]);
    });

    it('or list the candidates, or report that there is none', async () => {
      service.on('agent.v1.AgentService/FindAgent', ({ called }) => {
        if (called === 'read')
          throw new Failure('AMBIGUOUS_NAME', '"read" could be any of "reader" (agt_reader)', {
            metadata: { ids: 'agt_reader', count: '1' },
          });
        throw new Failure('AGENT_NOT_FOUND', 'There is no agent "x": list_agents shows them', {
          metadata: { agentId: 'x' },
        });
      });
      const ambiguous = (await shown('read')) as { err: string; code: number };
      expect(ambiguous).to.deep.include({ err: '"read" could be any of "reader" (agt_reader)\n', code: 2 });
      const unknown = (await shown('x')) as { err: string; code: number };
      expect(unknown).to.deep.include({ err: 'There is no agent "x": muster ls shows them\n', code: 4 });
      expect(await shown('')).to.deep.include({ code: 4 });
    });
  });

  it('muster show prints all details of an agent for a person, its prompt in lines', async () => {
    service.on('workflow.v1.WorkflowService/GetWorkflow', () => ({ workflow: { id: 'wfl_1', name: 'default' } }));
    service.on('host.v1.HostService/ListHosts', () => ({
      hosts: [{ id: 'hst_1', name: 'box', recordedHarnesses: [{ harness: 'claude', recordedWith: '2.1.187' }] }],
    }));
    const row = () =>
      agentRow(
        {
          name: 'lead',
          harness: 'claude',
          harnessVersion: '2.2.0',
          role: 'AGENT_ROLE_REVIEWER',
          stateReason: 'permission\n$ rm -rf',
          refusedDeletion: '1 file would be lost. Save it, or delete with force',
          parentAgentId: 'agt_busy',
          spawnedByAgentId: 'agt_no-more',
          hostId: 'hst_1',
          failedRunLog: 7,
          prompt: 'first\nsecond\u001b[0m',
          metadata: [{ key: 'ticket', value: 'M-1' }],
        },
        { pullRequest: { state: 'PULL_REQUEST_STATE_APPROVED_WAITING', url: 'https://x/1', title: 'Fix' } },
      );
    service.on('agent.v1.AgentService/FindAgent', () => ({ agent: row() }));
    service.on('agent.v1.AgentService/GetAgent', ({ agentId }) => {
      if (agentId === 'agt_no-more') throw refusalWith('not_found', 'gone');
      return { agent: agentRow({ name: agentId.slice(4) }) };
    });
    const { out } = await muster(['show', 'lead'], { tty: true });
    expect(out).to.include('\nreason\nnot deleted: 1 file would be lost. Save it, or delete with --force\n$ rm -rf\n');
    expect(out).to.match(/^name +lead$/m);
    expect(out).to.match(/^state +IDLE \(permission\), for 3m$/m);
    expect(out).to.match(/^role +reviewer$/m);
    expect(out).to.match(/^pull request +approved waiting https:\/\/x\/1 Fix$/m);
    expect(out).to.match(/^ticket {2}M-1$/m);
    expect(out).to.match(/^workflow +default$/m);
    expect(out).to.match(/^parent +busy$/m);
    expect(out).to.match(/^launched by +agt_no-more$/m);
    expect(out).to.match(/^host +box$/m);
    expect(out).to.match(/^version +2\.2\.0 \(rules recorded with 2\.1\.187, this is 2\.2\.0\)$/m);
    expect(out).to.match(/^failed run +7 \(muster run 7\)$/m);
    expect(out).to.match(/\nprompt\nfirst\nsecond\\u001b\[0m\n$/);
    expect(out).not.to.match(/^(held|archived|mark)/m);
  });

  describe('muster new', () => {
    const created: Agent = { id: 'agt_new', name: 'fix-login', state: 'AGENT_STATE_SETTING_UP' };
    const request = () => service.requestsOf('agent.v1.AgentService/CreateAgent').at(-1);
    beforeEach(() => service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: created })));

    it('launches into the workflow "default" and prints the next steps', async () => {
      const { out, err, code } = await muster(['new', 'fix the login'], { tty: true });
      expect(request()).to.deep.equal({ prompt: 'fix the login', workflowId: 'wfl_1' });
      expect({ out, err, code }).to.deep.equal({
        out: 'fix-login  agt_new\n',
        err: 'Follow it with: muster show fix-login (once it has a window: muster read fix-login)\n',
        code: 0,
      });
      expect(JSON.parse((await muster(['new', 'x'])).out)).to.deep.equal(created);
    });

    it('reports a name that is taken', async () => {
      const errOf = async (...argv: string[]) => (await muster(['new', 'x', ...argv], { tty: true })).err;
      expect(await errOf('--title', 'fix-login')).not.to.include('taken');
      service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: { ...created, name: 'kid-2' } }));
      expect(await errOf('--title', 'kid')).to.match(/^kid is taken: it is kid-2\nFollow it with/);
      expect(await errOf('--title', 'kid-2')).not.to.include('taken');
      expect(await errOf()).not.to.include('taken');
    });

    it('passes each flag on, directories made absolute, the prompt from standard input', async () => {
      const flags = ['--title', 't', '--dir', 'sub', '--flags=--model x', '--harness', 'codex', '--no-worktree'];
      const more = ['--role', 'orchestrator', '--host', 'h', '--key', 'k', '-w', 'wfl_1', '--ring'];
      const { code } = await muster(['new', '-', ...flags, ...more], { stdin: 'long\ntext\n', cwd: '/src' });
      expect(code).to.equal(0);
      expect(request()).to.deep.equal({
        prompt: 'long\ntext',
        title: 't',
        dir: '/src/sub',
        flags: '--model x',
        workflowId: 'wfl_1',
        harness: 'codex',
        idempotencyKey: 'k',
        ringOnResult: true,
        provisionEnabled: false,
        role: 'AGENT_ROLE_ORCHESTRATOR',
        host: 'h',
      });
      await muster(['new', '@src/x.ts is wrong', '--dir', '~/y', '--worktree', '--flags', '--model x']);
      const changed = { prompt: '@src/x.ts is wrong', dir: '~/y', provisionEnabled: true, flags: '--model x' };
      expect(request()).to.deep.include(changed);
    });

    it('launches without the workflow’s flags if empty ones are given', async () => {
      await muster(['new', 'x', '--flags', '']);
      expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_1', clear: ['flags'] });
    });

    it('reports what its worktree lacks, and how to bring it along', async () => {
      const none = { count: 0, names: [] };
      const answer = (leftBehind: LeftBehind) =>
        service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: created, leftBehind }));
      const untracked = { count: 5, names: ['a', 'b\u001b', 'c'] };
      answer({ changed: { count: 1, names: ['src/x.ts'] }, untracked, ignored: none, submodules: none });
      expect((await muster(['new', 'x'])).err.split('\n')[0]).to.equal(
        'Its worktree lacks 1 changed file (src/x.ts), 5 untracked files (a, b\\u001b, c, …): --with-changes copies them',
      );
      const ignored = { count: 2, names: ['.env', 'dist/'] };
      answer({ changed: none, untracked: none, ignored, submodules: { count: 1, names: ['lib'] } });
      expect((await muster(['new', 'x'])).err.split('\n')[0]).to.equal(
        'Its worktree lacks 1 submodule (lib), 2 ignored paths (.env, dist/): --with-changes copies them',
      );
    });

    it('lists files that it does not copy, with sizes', async () => {
      const notCopied = [
        { path: 'node_modules/', reason: 'NOT_COPIED_REASON_LARGE', bytes: '1288490189' },
        { path: 'vendor/x/', reason: 'NOT_COPIED_REASON_REPOSITORY' },
        { path: 'data/', reason: 'NOT_COPIED_REASON_UNREADABLE' },
      ] as const;
      const leftBehind: LeftBehind = { notCopied: [...notCopied], notCopiedCount: 4 };
      service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: created, leftBehind }));
      const { err } = await muster(['new', 'x', '--with-changes']);
      expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_1', withChanges: true });
      expect(err.split('\n')[0]).to.equal(
        'Not copied: node_modules (1.2 GiB), vendor/x (a repository of its own), data (not readable), …',
      );
    });

    it('takes a parent by name, and its workflow', async () => {
      await muster(['new', 'x', '--parent', 'lea']);
      expect(request()).to.deep.equal({ prompt: 'x', workflowId: 'wfl_1', parentAgentId: 'agt_lead' });
    });

    it('refuses an unknown workflow and an unknown role', async () => {
      const none = await muster(['new', 'x', '-w', 'defalt']);
      expect(none).to.deep.include({ code: 4, err: 'there is no workflow "defalt": did you mean default?\n' });
      expect(await muster(['new', 'x', '--role', 'boss'])).to.deep.include({ code: 2 });
      expect(await muster(['new'])).to.deep.include({
        code: 2,
        err: "missing required argument 'prompt': muster new <prompt>\n",
      });
      expect(request()).to.equal(undefined);
    });

    it('passes on a refusal with its code', async () => {
      service.on('agent.v1.AgentService/CreateAgent', () => {
        throw refusalWith('resource_exhausted', 'there is no room: tell the person');
      });
      expect(await muster(['new', 'x'])).to.deep.equal({
        code: 7,
        out: '',
        err: 'there is no room: tell the person\n',
      });
    });

    it('reports why a launch to attach to failed', async () => {
      const failed = { ...created, state: 'AGENT_STATE_FAILED_TO_CREATE', stateReason: 'no such branch' } as const;
      const shown = [created, failed].map((agent) => agentRow({ ...agent, alive: false }));
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
        yield { agents: shown.slice(0, 1), cursor: '1' };
        yield { agents: shown.slice(1), cursor: '2' };
      });
      const looks = shown.values();
      service.on('agent.v1.AgentService/GetAgent', () => ({ agent: looks.next().value }));
      const { code, err } = await muster(['new', 'x', '--attach'], { tty: true });
      expect(err).to.include(
        'fix-login could not be launched: no such branch. Fix it, then run muster retry fix-login',
      );
      expect(code).to.equal(6);
    });
  });

  it('rename, mark and token make one change and report it', async () => {
    service.on('agent.v1.AgentService/RenameAgent', ({ agentId, name }) => ({ agent: { id: agentId, name } }));
    service.on('agent.v1.AgentService/MarkAgent', ({ agentId, mark }) => ({
      agent: { agent: { id: agentId }, ...(mark !== undefined && { mark }) },
    }));
    service.on('agent.v1.AgentService/IssueAgentToken', () => ({ token: 'tok_1' }));
    expect((await muster(['rename', 'lead', 'head'], { tty: true })).out).to.equal('lead is now head\n');
    expect((await muster(['mark', 'lead', 'x'], { tty: true })).out).to.equal('lead is marked x\n');
    expect((await muster(['mark', 'b'], { tty: true })).out).to.equal('mark b is removed from busy\n');
    expect((await muster(['mark', 'lead'], { tty: true })).out).to.equal('lead has no mark\n');
    expect((await muster(['token', 'lead'])).out).to.equal('tok_1\n');
    expect((await muster(['token', 'lead', '-o', 'json'])).out).to.equal('{"token":"tok_1"}\n');
    expect(service.requestsOf('agent.v1.AgentService/MarkAgent')).to.deep.equal([
      { agentId: 'agt_lead', mark: 'x' },
      { agentId: 'agt_busy' },
      { agentId: 'agt_lead' },
    ]);
  });
});
