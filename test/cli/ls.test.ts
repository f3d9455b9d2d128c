import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { Failure } from '#contract/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type Outcome, runInside, type Setting } from './command-line.ts';
import type { FakeService } from './fake-service.ts';
import { agentRow, archivedRow, fleet, fleetService } from './fleet.ts';

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

  it('shows what needs a person first and children under their parent, with nothing that steers the terminal', async () => {
    const { out, err, code } = await ls([], { tty: true });
    expect(out).to.equal(
      [
        'MARK  NAME                  STATE                 FOR  HARNESS  WORKFLOW  BRANCH',
        '      lead                  IDLE (mail)           3m   claude   default   muster/lead',
        '      ├ reader              WAITING (permission)  3m   claude   default',
        '        Bash command · npm run deploy · Do you want to proceed?',
        '      └ reader-two          THINKING              3m   claude   default',
        '      broken                FAILED_TO_CREATE      3m   claude   default',
        '        provisioning: there is no branch next',
        '        … muster show broken shows the rest',
        '      evil\\u001b[31m\\u202e  UNCERTAIN             3m   codex    default',
        'b     busy                  THINKING              3m   claude   default   muster/busy',
        '      asleep                IDLE (dormant)        3m   claude   default',
        '',
      ].join('\n'),
    );
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });

  it('names the host where there are several, and says of one that is lost since when its agents are only last known', async () => {
    const here = agentRow({ name: 'here', hostId: 'hst_1' });
    const { alive: _, ...away } = { ...here.agent, name: 'away', id: 'agt_away', hostId: 'hst_2' };
    const rows = [here, { agent: { ...away, lastKnownAt: '2026-11-21T08:55:00.000Z' } }];
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: rows }));
    const columnsOf = async () =>
      (await ls([], { tty: true })).out.split('\n').map((line) => line.trim().split(/ {2,}/));
    // An agent may not list hosts: where rows stand on several, it sees their ids.
    expect(await columnsOf()).to.deep.include(['here', 'IDLE', '3m', 'claude', 'default', 'hst_1']);
    const hosts = [
      { id: 'hst_1', name: 'box' },
      { id: 'hst_2', name: 'laptop' },
    ];
    service.on('host.v1.HostService/ListHosts', () => ({ hosts }));
    const lines = await columnsOf();
    expect(lines[0]).to.deep.equal(['MARK', 'NAME', 'STATE', 'FOR', 'HARNESS', 'WORKFLOW', 'HOST', 'BRANCH']);
    expect(lines).to.deep.include(['here', 'IDLE', '3m', 'claude', 'default', 'box']);
    expect(lines).to.deep.include(['away', 'IDLE (last known 5m ago)', '3m', 'claude', 'default', 'laptop']);
    service.on('host.v1.HostService/ListHosts', () => ({ hosts: hosts.slice(0, 1) }));
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [here] }));
    expect((await columnsOf())[0]).not.to.include('HOST');
  });

  it('cuts branches first where a terminal is narrow', async () => {
    const name = 'a-name-of-some-length';
    const branch = `muster/${name}-4k2m9q7x`;
    const agent = { name, branch, state: 'AGENT_STATE_WAITING', stateReason: 'permission' } as const;
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow(agent)] }));
    const narrow = (columns: number) => ls([], { tty: true, size: { columns, rows: 20, listeners: new Set() } });
    const { out } = await narrow(90);
    expect(out).to.match(/ a-name-of-some-length +WAITING \(permission\) .* muster\/\S+…\n$/);
    expect((await narrow(60)).out).to.match(/ a-name-\S+… +WAITING\S*.*… .* muster\/…\n$/);
  });

  it('tells on two lines at most what an agent that waits asks, and all of it as JSON', async () => {
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

  it('tells the end of what a script wrote, beside what became of it', async () => {
    const stateReason = 'preparing: the setup script ended with 1; its last output:\nnpm ERR! one\nnpm ERR! two\n';
    const agent = { name: 'new', state: 'AGENT_STATE_FAILED_TO_CREATE', alive: false } as const;
    let reason = stateReason;
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow({ ...agent, stateReason: reason })] }));
    const told = async () => (await ls([], { tty: true })).out.split('\n').slice(2, -1);
    expect(await told()).to.deep.equal([
      '        preparing: the setup script ended with 1; its last output: npm ERR! two',
      '        … muster show new shows the rest',
    ]);
    reason = 'preparing: the setup script ended with 1; its last output:\n';
    expect(await told()).to.deep.equal(['        preparing: the setup script ended with 1; it wrote nothing']);
  });

  it('tells a long reason whole below its row, in lines that fit', async () => {
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

  it('gives a program every row of every page as JSON, or a row a line', async () => {
    const names = (rows: AgentRow[]) => rows.map(({ agent }) => agent?.name);
    const json = JSON.parse((await ls()).out) as AgentRow[];
    expect(json).to.have.deep.members([...fleet]);
    expect(names(json).slice(0, 2)).to.deep.equal(['lead', 'reader']);
    const lines = (await ls(['-o', 'jsonl'], { tty: true })).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal(json);
  });

  it('shows archived agents only where they are asked for', async () => {
    const names = async (...argv: string[]) =>
      (JSON.parse((await ls(argv)).out) as AgentRow[]).map(({ agent }) => agent?.name);
    expect(await names()).not.to.include('old');
    expect(await names('--archived')).to.deep.equal(['old']);
    expect(await names('--all'))
      .to.have.length(fleet.length + 1)
      .and.include('old');
  });

  it('goes on without the names of workflows, and says how to begin where there are no agents', async () => {
    service.on('workflow.v1.WorkflowService/ListWorkflows', () => {
      throw new Failure('permission_denied', 'no');
    });
    expect((await ls([], { tty: true })).out).to.include('wfl_1');
    service.on('agent.v1.AgentService/ListAgents', () => ({}));
    expect((await ls([], { tty: true })).out).to.match(/^There are no agents: launch one with muster new/);
    expect((await ls()).out).to.equal('[]\n');
  });

  describe('--watch', () => {
    let stop: AbortController;
    beforeEach(() => {
      stop = new AbortController();
    });
    afterEach(() => stop.abort());

    const moved = agentRow({ name: 'busy', state: 'AGENT_STATE_WAITING', stateReason: 'plan' });
    const shelved = agentRow({ name: 'asleep', archivedAt: '2026-11-21T09:00:00.000Z' });

    it('gives a program each row as it moves, until it is gone, over a restart of the service', async () => {
      const cursors: unknown[] = [];
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* ({ cursor }) {
        cursors.push(cursor);
        if (cursor === undefined) {
          yield { agents: [...fleet, archivedRow], cursor: '1' };
          throw new Failure('unavailable', 'the gateway stops');
        }
        yield { agents: [moved, shelved], goneAgentIds: ['agt_lead', 'agt_never-seen'], cursor: '2' };
        await new Promise(() => {});
      });
      const onOut = (out: string) => out.includes('goneAgentId') && stop.abort();
      const { out, err, code } = await ls(['--watch'], { signal: stop.signal, onOut });
      const lines = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      expect(lines).to.deep.equal([...fleet, moved, shelved, { goneAgentId: 'agt_lead' }]);
      expect(cursors).to.deep.equal([undefined, '1']);
      expect(err).to.equal('the gateway stops; trying again until it is back\nmuster is back\n');
      expect(code).to.equal(0);
    });

    it('draws the list in place on a terminal, no more of it than fits', async () => {
      const many = Array.from({ length: 20 }, (_, index) => agentRow({ name: `agent-${index}` }));
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
        yield { agents: [...many], cursor: '1' };
        await released;
        yield { agents: [moved], goneAgentIds: many.map(({ agent }) => agent?.id ?? ''), cursor: '2' };
        await new Promise(() => {});
      });
      let shown = '';
      const running = ls(['-w'], {
        tty: true,
        signal: stop.signal,
        onOut: (out) => {
          shown = out;
        },
      });
      await moment('the first drawing', () => shown.includes('… 11 more'));
      expect(shown.split('\n')).to.have.length(12);
      const first = shown.length;
      release();
      await moment('the second drawing', () => shown.length > first);
      stop.abort();
      await running;
      const second = shown.slice(first);
      expect(second.startsWith('\u001b[H\u001b[?7l\u001b[KMARK')).to.equal(true);
      expect(second)
        .to.match(/WAITING \(plan\)/)
        .and.not.match(/agent-/);
    });

    it('says above the list that the service is away, and goes on once it is back', async () => {
      let shown = '';
      const last = () => shown.slice(shown.lastIndexOf('\u001b[H')).replaceAll('\n\u001b[K', ' ');
      // As a gateway ends its watches when it is stopped: without a failure.
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
        yield { agents: [...fleet], cursor: '1' };
      });
      const onOut = (out: string) => {
        shown = out;
      };
      const running = ls(['-w'], { tty: true, signal: stop.signal, onOut });
      await moment('the list', () => last().includes('lead'));
      const { port } = new URL(service.url);
      await service.close();
      await moment('word of it', () => last().includes('NOT CONNECTED'), 5_000);
      expect(last()).to.include(`muster is not running at http://127.0.0.1:${port}`).and.to.include('lead');
      service = await fleetService(Number(port));
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* ({ cursor }) {
        yield { agents: [agentRow({ name: `since-${cursor}` })], cursor: '2' };
        await new Promise(() => {});
      });
      await moment('the list as it is now', () => last().includes('since-1'), 10_000);
      expect(last()).not.to.include('NOT CONNECTED');
      stop.abort();
      expect(await running).to.deep.include({ code: 0, err: '' });
    }).timeout(60_000);

    it('is drawn anew, within its edges, when the terminal changes its size', async () => {
      const size = { columns: 100, rows: 12, listeners: new Set<() => void>() };
      service.onWatch('agent.v1.AgentService/WatchAgents', async function* () {
        yield { agents: [...fleet], cursor: '1' };
        await new Promise(() => {});
      });
      let shown = '';
      const onOut = (out: string) => {
        shown = out;
      };
      const running = ls(['-w'], { tty: true, size, signal: stop.signal, onOut });
      await moment('the first drawing', () => shown.includes('muster/busy'));
      const first = shown.length;
      Object.assign(size, { columns: 60, rows: 6 });
      for (const listener of size.listeners) listener();
      const second = shown.slice(first);
      expect(second.startsWith('\u001b[2J\u001b[H\u001b[?7l\u001b[KMARK')).to.equal(true);
      expect(second.split('\n')).to.have.length(6);
      stop.abort();
      await running;
      expect(size.listeners.size).to.equal(0);
    });

    it('fails at once where the service does not run', async () => {
      await service.close();
      expect((await ls(['--watch'])).code).to.equal(9);
      service = await fleetService();
    });
  });
});
