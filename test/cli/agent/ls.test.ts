import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { refusalWith } from '#test/support/failure.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, personEnv, runInside, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleet, fleetService } from '../fleet.ts';

describe('muster ls', () => {
  let service: FakeService;
  const ls = (argv: readonly string[] = [], setting: Setting = {}): Promise<Outcome> =>
    runInside(['ls', ...argv], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
      ...setting,
    });
  beforeEach(async () => {
    service = await fleetService();
  });
  afterEach(() => service.close());

  it('lists agents that need a person first and children under parents, without control sequences', async () => {
    const { out, err, code } = await ls([], { tty: true });
    expect(out).to.equal(
      [
        'MARK  NAME                  STATE                 FOR  HARNESS  WORKFLOW  TASK',
        '      lead                  IDLE (mail)           3m   claude   default   carry the rewrite through',
        '      ├ reader              WAITING (permission)  3m   claude   default',
        '        Bash command · npm run deploy · Do you want to proceed?',
        '      └ reader-two          THINKING              3m   claude   default',
        '      broken                FAILED_TO_CREATE      3m   claude   default',
        '        provisioning: there is no branch next',
        '        … muster show broken shows the rest',
        '      evil\\u001b[31m\\u202e  UNCERTAIN             3m   codex    default',
        'b     busy                  THINKING              3m   claude   default   [muster/other-work]',
        '      asleep                ENDED (was IDLE)      3m   claude   default',
        '',
      ].join('\n'),
    );
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });

  it('names the host if there are several, and how old the states of a lost host’s agents are', async () => {
    const here = agentRow({ name: 'here', hostId: 'hst_1' });
    const { alive: _, ...away } = { ...here.agent, name: 'away', id: 'agt_away', hostId: 'hst_2' };
    const rows = [here, { agent: { ...away, lastKnownAt: '2026-11-21T08:55:00.000Z' } }];
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: rows }));
    const columnsOf = async () =>
      (await ls([], { tty: true })).out.split('\n').map((line) => line.trim().split(/ {2,}/));
    // An agent may not list hosts: where rows are on several, it sees their ids.
    expect(await columnsOf()).to.deep.include(['here', 'IDLE', '3m', 'claude', 'default', 'hst_1']);
    const hosts = [
      { id: 'hst_1', name: 'box' },
      { id: 'hst_2', name: 'laptop' },
    ];
    service.on('host.v1.HostService/ListHosts', () => ({ hosts }));
    const lines = await columnsOf();
    expect(lines[0]).to.deep.equal(['MARK', 'NAME', 'STATE', 'FOR', 'HARNESS', 'WORKFLOW', 'HOST']);
    expect(lines).to.deep.include(['here', 'IDLE', '3m', 'claude', 'default', 'box']);
    expect(lines).to.deep.include(['away', 'IDLE (last known 5m ago)', '3m', 'claude', 'default', 'laptop']);
    service.on('host.v1.HostService/ListHosts', () => ({ hosts: hosts.slice(0, 1), removed: hosts.slice(1) }));
    expect(await columnsOf(), 'also of a host that was removed').to.deep.equal(lines);
    service.on('host.v1.HostService/ListHosts', () => ({ hosts: hosts.slice(0, 1) }));
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [here] }));
    expect((await columnsOf())[0]).not.to.include('HOST');
  });

  it('shortens tasks first on a narrow terminal', async () => {
    const name = 'a-name-of-some-length';
    const branch = `muster/${name}-4k2m9q7x`;
    const task = 'find out why the login test is flaky and mend it';
    const agent = { name, branch, task, state: 'AGENT_STATE_WAITING', stateReason: 'permission' } as const;
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow(agent)] }));
    const narrow = (columns: number) => ls([], { tty: true, size: { columns, rows: 20, listeners: new Set() } });
    const { out } = await narrow(90);
    expect(out).to.match(/ a-name-of-some-length +WAITING \(permission\) .* find out \S+.*…\n$/);
    expect((await narrow(60)).out).to.match(/ a-name-\S+… +WAITING\S*.*… .* find o?u?…\n$/);
  });

  describe('with several projects', () => {
    const at = (repository: string) => ({ repositoryUrl: `https://git.example.com/ada/${repository}` });
    const diff = { filesChanged: 3, additions: 1_240, deletions: 7 };
    beforeEach(() => {
      const agents = [
        agentRow({ name: 'login', ...at('shop'), task: 'Fix the login', diff, turns: 12, hostId: 'hst_1' }),
        agentRow({ name: 'links', ...at('site'), task: 'Mend links', state: 'AGENT_STATE_THINKING', hostId: 'hst_2' }),
        agentRow({ name: 'asleep', ...at('site'), alive: false, hostId: 'hst_1' }),
      ];
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents }));
      service.on('host.v1.HostService/ListHosts', () => ({ hosts: [{ id: 'hst_2', name: 'laptop' }] }));
    });
    const namesOf = async (...argv: string[]) =>
      (JSON.parse((await ls([...argv, '-o', 'json'])).out) as AgentRow[]).map(({ agent }) => agent?.name);

    it('shows the project, the size of the diff and, if there is room, the turns of each agent', async () => {
      const { out } = await ls(['-o', 'table']);
      const lines = out.split('\n').map((line) => line.trim().split(/ {2,}/));
      expect(lines[0]).to.include.members(['PROJECT', 'WORKFLOW', 'DIFF', 'TASK']);
      const login = lines.find(([name]) => name === 'login');
      expect(login).to.include.members(['shop', '+1.2k −7 (3)', 'Fix the login']);
      const titles = async (columns: number) =>
        (await ls([], { tty: true, size: { columns, rows: 20, listeners: new Set() } })).out.split('\n')[0];
      expect(await titles(119)).to.not.include('TURNS');
      expect(await titles(120)).to.include('TURNS');
      expect(login).to.include('12');
    });

    it('groups by project, those that need a person first, without a heading for a single one', async () => {
      const listed = async (...argv: string[]) =>
        (await ls([...argv, '-o', 'table'])).out
          .split('\n')
          .slice(1, -1)
          .map((line) => line.trim().split(/ +/)[0]);
      expect(await listed()).to.deep.equal(['shop', 'login', 'site', 'links', 'asleep']);
      const asks = { ...at('site'), state: 'AGENT_STATE_WAITING' } as const;
      const agents = [agentRow({ name: 'login', ...at('shop') }), agentRow({ name: 'links', ...asks })];
      const child = agentRow({ name: 'kid', parentAgentId: 'agt_links' });
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [...agents, child] }));
      expect((await ls(['-o', 'table'])).out).to.match(/\nsite \(2\)\n.* links .*\n.*└ kid .*\nshop \(1\)\n.* login /);
      expect(await listed('--project', 'site')).to.deep.equal(['links', '└']);
      expect((await ls(['--project', 'site', '-o', 'table'])).out).to.match(/ PROJECT .*\n.* links .* site /);
    });

    it('shows the last words of a resting CLI behind the task, and of no other', async () => {
      const said = 'done: I moved the check\u001b into the session.';
      const agents = [
        agentRow({ name: 'login', task: 'Fix the login', reportedReason: said }),
        agentRow({ name: 'links', state: 'AGENT_STATE_THINKING', task: 'Mend links', reportedReason: 'working' }),
      ];
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents }));
      const { out } = await ls(['-o', 'table']);
      expect(out).to.match(/ login .* Fix the login · done: I moved the check\\u001b into the session\.\n/);
      expect(out).to.match(/ links .* Mend links\n/);
      expect(await namesOf('--search', 'moved session')).to.deep.equal(['login']);
    });

    it('lists agents that match all filters', async () => {
      expect(await namesOf('--project', 'site')).to.deep.equal(['links', 'asleep']);
      expect(await namesOf('--state', 'idle', 'thinking')).to.deep.equal(['login', 'links']);
      expect(await namesOf('--state', 'ended')).to.deep.equal(['asleep']);
      expect(await namesOf('--host', 'laptop')).to.deep.equal(['links']);
      expect(await namesOf('--host', 'hst_1', '--project', 'site')).to.deep.equal(['asleep']);
      expect(await namesOf('--search', 'LINKS mend')).to.deep.equal(['links']);
      expect(await namesOf('--workflow', 'default', '--search', 'shop')).to.deep.equal(['login']);
      expect((await ls(['--search', 'none', '-o', 'table'])).out).to.equal('No agent matches: leave a filter out\n');
      for (const filter of ['project', 'workflow', 'host']) {
        const { code, err } = await ls([`--${filter}`, 'none', '-o', 'table']);
        expect([code, err.includes('"none"')], filter).to.deep.equal([4, true]);
      }
      const refused = await ls(['--state', 'busy']);
      expect({ code: refused.code, err: refused.err }).to.satisfy(
        ({ code, err }: { code: number; err: string }) => code === 2 && err.includes('waiting'),
      );
    });
  });

  it('shows a waiting agent’s question in two lines at most, and all of it as JSON', async () => {
    const waitingFor = `Bash command · ${'npm run a-long-script && '.repeat(6)}true\u202e · Do you want to proceed?`;
    const agent = { name: 'asks', state: 'AGENT_STATE_WAITING', waitingFor } as const;
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow(agent)] }));
    const size = { columns: 80, rows: 20, listeners: new Set<() => void>() };
    const lines = (await ls([], { tty: true, size })).out.split('\n').slice(2, -1);
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^ {8}Bash command · npm run a-long-script/);
    expect(lines[1]).to.match(/^ {8}\S.*…$/);
    expect(lines.every((line) => line.length <= 80)).to.equal(true);
    const [row] = JSON.parse((await ls(['-o', 'json'])).out) as AgentRow[];
    expect(row?.agent?.waitingFor).to.equal(waitingFor);
  });

  it('shows the line that explains a failed script or CLI, and a refused deletion', async () => {
    const summary = 'preparing: the setup script ended with 1';
    const live = { state: 'AGENT_STATE_IDLE', alive: true } as const;
    const output = 'npm ERR! one\nnpm ERR! two\n';
    const agent = { name: 'new', state: 'AGENT_STATE_FAILED_TO_CREATE', alive: false } as const;
    const told = async (more: Partial<Agent>) => {
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow({ ...agent, ...more })] }));
      const { out } = await ls([], { tty: true });
      return out
        .split('\n')
        .slice(2, -1)
        .map((line) => line.trim());
    };
    expect(await told({ stateReason: summary, fault: { summary, errorLine: 'npm ERR! one', output } })).to.deep.equal([
      `${summary}: npm ERR! one`,
      '… muster show new shows the rest',
    ]);
    expect(await told({ stateReason: summary, fault: { summary } })).to.deep.equal([summary]);
    const failedRun = {
      failedRun: true,
      failedRunLog: 7,
      failedRunFault: { summary: 'the onIdle script ended with 2', errorLine: 'Error: \u001bno disk' },
    };
    const refusedDeletion = 'this would be lost: 1 untracked file: a.txt. Save it, or delete with force';
    expect(await told({ ...live, ...failedRun, refusedDeletion })).to.deep.equal([
      `not deleted: ${refusedDeletion.replace('with force', 'with --force')}`,
      'the onIdle script ended with 2: Error: \\u001bno disk (muster run 7)',
    ]);
  });

  it('shows a long reason in full below its row, wrapped', async () => {
    const reason = `opening: codex is not on the PATH of this host, which is ${'/a-long-folder'.repeat(8)}: install it, then retry`;
    const failed = { name: 'new', state: 'AGENT_STATE_FAILED_TO_CREATE', alive: false, stateReason: reason } as const;
    const ended = { name: 'ended', alive: false, stateReason: 'the CLI exited with status 3: bye\n' };
    const endless = { ...failed, name: 'endless', stateReason: 'word '.repeat(200) };
    service.on('agent.v1.AgentService/ListAgents', () => ({
      agents: [agentRow(failed), agentRow(ended), agentRow(endless)],
    }));
    const lines = (await ls([], { tty: true })).out.split('\n');
    const below = (name: string) => {
      const at = lines.findIndex((line) => line.trim().startsWith(`${name} `)) + 1;
      const end = lines.findIndex((line, index) => index >= at && !line.startsWith(' '.repeat(8)));
      return lines.slice(at, end);
    };
    expect(below('new').join('').replaceAll(' ', '')).to.equal(reason.replaceAll(' ', ''));
    expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(100);
    expect(below('ended')).to.deep.equal(['        the CLI exited with status 3: bye']);
    expect(below('endless')).to.have.length(5);
    expect(below('endless').at(-1)).to.equal('        … muster show endless shows the rest');
  });

  it('colours states on a terminal unless NO_COLOR is set, and never elsewhere', async () => {
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' };
    expect((await ls([], { tty: true, env })).out).to.include('\u001b[33m\u001b[1mWAITING (permission)');
    expect((await ls(['-o', 'table'], { env })).out).not.to.include('\u001b');
    expect((await ls([], { tty: true })).out).not.to.include('\u001b');
  });

  it('prints the full table without colours into a person’s pipe, and JSON on request', async () => {
    const folder = temporaryFolder('ls');
    try {
      const { NO_COLOR: _, ...env } = personEnv(folder.path, service.url);
      const piped = (await ls([], { env })).out;
      expect(piped).to.equal((await ls(['-o', 'table'])).out);
      expect(piped)
        .to.match(/^MARK +NAME/)
        .and.not.include('\u001b[');
      expect(JSON.parse((await ls(['-o', 'json'], { env })).out)).to.have.deep.members([...fleet]);
      expect((await ls(['-o', 'jsonl'], { env })).out.trimEnd().split('\n')).to.have.length(fleet.length);
    } finally {
      folder.remove();
    }
  });

  it('prints every row of every page as JSON for an agent, or a row per line', async () => {
    const names = (rows: AgentRow[]) => rows.map(({ agent }) => agent?.name);
    const json = JSON.parse((await ls()).out) as AgentRow[];
    expect(json).to.have.deep.members([...fleet]);
    expect(names(json).slice(0, 2)).to.deep.equal(['lead', 'reader']);
    const lines = (await ls(['-o', 'jsonl'], { tty: true })).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal(json);
  });

  it('lists archived agents on request only', async () => {
    const names = async (...argv: string[]) =>
      (JSON.parse((await ls(argv)).out) as AgentRow[]).map(({ agent }) => agent?.name);
    expect(await names()).not.to.include('old');
    expect(await names('--archived')).to.deep.equal(['old']);
    expect(await names('--all'))
      .to.have.length(fleet.length + 1)
      .and.include('old');
  });

  it('works without workflow names, and explains the first steps without agents', async () => {
    service.on('workflow.v1.WorkflowService/ListWorkflows', () => {
      throw refusalWith('permission_denied', 'no');
    });
    expect((await ls([], { tty: true })).out).to.include('wfl_1');
    service.on('agent.v1.AgentService/ListAgents', () => ({}));
    expect((await ls([], { tty: true })).out).to.match(/^There are no agents: launch one with muster new/);
    expect((await ls()).out).to.equal('[]\n');
  });
});
