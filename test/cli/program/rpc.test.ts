import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Field, fieldsOf } from '#cli/rpc/field.ts';
import { flagOf } from '#cli/rpc/flags.ts';
import { commandName, type Operation, pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';
import { type FakeService, fakeService } from '../fake-service.ts';
import { sampleOf } from './flag-sample.ts';

function put(request: Record<string, unknown>, [name = '', ...inside]: readonly string[], value: unknown): void {
  if (inside.length > 0) {
    const inner = (request[name] ?? {}) as Record<string, unknown>;
    put(inner, inside, value);
    request[name] = inner;
  } else request[name] = value;
}

describe('muster rpc', () => {
  let service: FakeService;
  let folder: TemporaryFolder;
  const rpc = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(['rpc', ...argv], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 'secret' },
      cwd: folder.path,
      ...setting,
    });
  const sent = (): unknown => service.calls.at(-1)?.request;

  beforeEach(async () => {
    folder = temporaryFolder('rpc');
    service = await fakeService();
    service.answerAll();
  });
  afterEach(async () => {
    await service.close();
    folder.remove();
  });

  describe('has a command for each operation, and a flag for each of its fields', () => {
    const sends = async (row: Operation, tried: Field): Promise<void> => {
      const others = fieldsOf(row.request).filter(
        (field) => field.required && (field.list || field.type.kind !== 'message'),
      );
      const argv = [commandName(row)];
      const expected = {};
      for (const field of [...others.filter(({ path }) => path.join() !== tried.path.join()), tried]) {
        const [text, value] = sampleOf(field, row);
        argv.push(flagOf(field), text);
        put(expected, field.path, field.list ? [value] : value);
      }
      const { code, err } = await rpc(argv);
      expect(err).to.equal('');
      expect(code).to.equal(0);
      expect(service.calls.at(-1)?.path).to.equal(pathOf(row));
      expect(sent()).to.deep.equal(expected);
    };
    for (const row of operations) {
      const fields = fieldsOf(row.request);
      it(`${commandName(row)}: ${fields.map(flagOf).join(' ') || 'no fields'}`, async () => {
        for (const field of fields) await sends(row, field);
        if (fields.length === 0) expect((await rpc([commandName(row)])).code).to.equal(0);
      });
    }
  });

  it('covers every field of every request, also those inside messages', () => {
    for (const row of operations) {
      const names = fieldsOf(row.request).map(({ path }) => path.join('.'));
      const shape = Object.keys((row.request as unknown as { shape: object }).shape);
      expect(names.filter((name) => !name.includes('.'))).to.deep.equal(shape);
    }
    const listing = operations.find(({ method }) => method === 'ListAgents');
    expect(fieldsOf((listing as Operation).request).map(flagOf)).to.deep.equal([
      '--pagination',
      '--pagination-cursor',
      '--pagination-page-size',
      '--archived',
      '--view',
    ]);
  });

  it('helps with summary, guidance, types, limits and what is required, for each operation', async () => {
    for (const row of operations) {
      const { code, out } = await rpc([commandName(row), '--help'], { tty: false });
      const text = out.replace(/\s+/g, ' ');
      expect(code).to.equal(0);
      for (const said of [row.summary, row.guidance]) expect(text).to.include(said.replace(/\s+/g, ' '));
      for (const field of fieldsOf(row.request)) expect(text).to.include(flagOf(field));
    }
    const { out } = await rpc(['create-agent', '--help']);
    const words = out.replace(/\s+/g, ' ');
    expect(words).to.match(
      /--prompt <string> +The briefing it starts with; required; at most 50000 characters; @path reads a file/,
    );
    expect(words).to.match(
      /--role <name> +Its role\. Unset: as the workflow says; one of implementer, reviewer, orchestrator/,
    );
    expect(words).to.match(
      /--harness <string> +Its CLI\. Unset: the workflow’s; at most 40 characters; must match \^\[a-z0-9-\]\*\$/,
    );
    expect(out)
      .to.include('POST /agent.v1.AgentService/CreateAgent')
      .and.to.match(/MCP: +create_agent\n/);
  });

  it('applies the contract’s limits of texts exactly', () => {
    const limits = Object.fromEntries(
      operations
        .filter(({ method }) => method === 'CreateAgent')
        .flatMap((row) => fieldsOf(row.request))
        .filter(({ type }) => type.kind === 'string')
        .map(({ path, max }) => [path.join('.'), max]),
    );
    expect(limits).to.include({ prompt: 50_000, title: 200, dir: 4096, flags: 500, harness: 40, idempotencyKey: 200 });
    expect(limits['workflowId']).to.equal(undefined);
  });

  describe('reads values', () => {
    const takes = async (argv: readonly string[], request: object, setting?: Setting): Promise<void> => {
      expect(await rpc(argv, setting)).to.deep.include({ code: 0, err: '' });
      expect(sent()).to.deep.equal(request);
    };
    const create = ['create-agent', '--workflow-id', 'w'];

    it('keeps false apart from unset, in every spelling', async () => {
      const told = (provisionEnabled?: boolean) => ({
        prompt: 'p',
        workflowId: 'w',
        ...(provisionEnabled !== undefined && { provisionEnabled }),
      });
      const prompt = [...create, '--prompt', 'p'];
      await takes(prompt, told());
      for (const yes of [['--provision-enabled'], ['--provision-enabled', 'true'], ['--provision-enabled=yes']]) {
        await takes([...prompt, ...yes], told(true));
      }
      for (const no of [['--no-provision-enabled'], ['--provision-enabled', 'false'], ['--provision-enabled=0']]) {
        await takes([...prompt, ...no], told(false));
      }
    });

    it('accepts enumerations by short and full name', async () => {
      for (const view of ['full', 'FULL', 'VIEW_FULL', 'view-full']) {
        await takes(['list-agents', '--view', view], { view: 'VIEW_FULL' });
      }
    });

    it('accepts messages as JSON, by dots and by dashes, the closest match first', async () => {
      const request = { pagination: { cursor: 'c', pageSize: 5 } };
      await takes(['list-agents', '--pagination', '{"cursor":"c","pageSize":5}'], request);
      await takes(['list-agents', '--pagination.cursor', 'c', '--pagination.page-size', '5'], request);
      await takes(['list-agents', '--pagination-cursor', 'c', '--pagination-page-size=5'], request);
      await takes(['list-agents', '--pagination', '{"cursor":"b","pageSize":5}', '--pagination-cursor', 'c'], request);
    });

    it('accepts lists by repeated flags, and values that begin with a dash', async () => {
      const argv = [
        'update-workflow',
        '--workflow-id',
        'w',
        '--copy-files',
        '.env',
        '--copy-files=-x',
        '--clear',
        'base-branch',
      ];
      await takes(argv, { workflowId: 'w', copyFiles: ['.env', '-x'], clear: ['baseBranch'] });
    });

    it('accepts long texts from standard input and files, and literally after @@', async () => {
      writeFileSync(join(folder.path, 'prompt.md'), 'from a file\n\n');
      const told = (prompt: string) => ({ prompt, workflowId: 'w' });
      await takes([...create, '--prompt', '-'], told('line one\nline two'), { stdin: 'line one\nline two\n' });
      await takes([...create, '--prompt', '@prompt.md'], told('from a file\n'));
      await takes([...create, '--prompt', '@@mention'], told('@mention'));
      await takes([...create, '--prompt', 'p', '--title', '@short'], { ...told('p'), title: '@short' });
    });

    it('accepts the whole request as JSON, overridden by single flags', async () => {
      const json = '{"prompt":"p","workflowId":"w","title":"t"}';
      await takes(['create-agent', '--json', json], JSON.parse(json) as object);
      await takes(['create-agent', '--json', '-'], JSON.parse(json) as object, { stdin: json });
      await takes(['create-agent', '--json', json, '--title', 'u'], { prompt: 'p', workflowId: 'w', title: 'u' });
    });
  });

  describe('refuses with exit code 2, and sends nothing', () => {
    const cases: [argv: string[], said: RegExp][] = [
      [['list-agent'], /unknown command 'list-agent': did you mean list-agents\?/],
      [['list-agents', '--vew', 'full'], /unknown option '--vew': did you mean --view\?/],
      [['list-agents', 'extra'], /too many arguments/],
      [['list-agents', '--view', 'ful'], /--view must be one of summary, full \(given: ful\): did you mean full\?/],
      [['list-agents', '--archived', 'maybe'], /--archived must be true or false \(given: maybe\)/],
      [
        ['list-agents', '--pagination-page-size', 'ten'],
        /--pagination-page-size must be a whole number \(given: ten\)/,
      ],
      [['list-agents', '--pagination', '[1]'], /--pagination must be a JSON object/],
      [['list-agents', '--pagination', '{"cursr":"c"}'], /there is no field pagination\.cursr: did you mean cursor\?/],
      [['list-agents', '--json', '{"view'], /--json is not JSON/],
      [['list-agents', '--json', '{"constructor":1}'], /there is no field constructor/],
      [['list-agents', '--json', '{"arcived":true}'], /there is no field arcived: did you mean archived\?/],
      [['list-agents', '--view', 'full', '--view', 'summary'], /--view takes one value, but 2 are given/],
      [['get-agent'], /agentId is missing: give it a value.*muster rpc get-agent --help/],
      [['get-agent', '--agent-id'], /argument missing/],
      [
        ['create-agent', '--prompt', '@none', '--workflow-id', 'w'],
        /--prompt names the file none, which cannot be read/,
      ],
      [['create-agent', '--prompt', 'p', '--workflow-id', 'w', '--harness', 'No'], /harness may contain only a to z/],
      [
        ['create-agent', '--prompt', '-', '--dir', '-', '--workflow-id', 'w'],
        /--dir and --prompt both read standard input/,
      ],
    ];
    for (const [argv, said] of cases) {
      it(argv.join(' '), async () => {
        const { code, err, out } = await rpc(argv);
        expect(err).to.match(said);
        expect({ code, out, calls: service.calls.length }).to.deep.equal({ code: 2, out: '', calls: 0 });
      });
    }
  });

  it('prints the response: on one line for a program, indented on a terminal, without raw control characters', async () => {
    const name = 'evil\u001b]0;x\u0007\u009b31m\u202e';
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [{ agent: { id: 'agt_1', name } }] }));
    const plain = await rpc(['list-agents']);
    expect(plain.out.split('\n')).to.have.length(2);
    expect(JSON.parse(plain.out)).to.deep.equal({ agents: [{ agent: { id: 'agt_1', name } }] });
    const terminal = await rpc(['list-agents'], { tty: true });
    expect(terminal.out).to.include('\n    {\n');
    for (const { out } of [plain, terminal]) expect(out).not.to.match(/[^\P{C}\n]/u);
  });

  it('streams a watch as JSON lines and fails as the service ends it', async () => {
    service.onWatch('fact.v1.FactService/WatchFacts', async function* ({ cursor }) {
      yield { cursor: `${cursor}1`, facts: [{ seq: '1', kind: 'agent.created' }] };
      yield { cursor: `${cursor}2` };
      throw refusalWith('resource_exhausted', 'too many watch at once');
    });
    const { code, out, err } = await rpc(['watch-facts', '--cursor', 'c', '-o', 'json']);
    expect(out).to.equal('{"facts":[{"seq":"1","kind":"agent.created"}],"cursor":"c1"}\n{"cursor":"c2"}\n');
    expect(JSON.parse(err)).to.deep.equal({ code: 'resource_exhausted', message: 'too many watch at once' });
    expect(code).to.equal(7);
  });

  describe('for a person', () => {
    const agents = [
      { agent: { id: 'agt_1', name: 'one\u001b[31m', state: 'AGENT_STATE_IDLE', alive: true }, mark: 'a' },
      { agent: { id: 'agt_2', name: 'two', cwd: '/src' } },
    ] as const;
    const squeezed = (text: string) => text.replaceAll(/ +/g, ' ');

    it('prints a listing as a table, and one record line by line', async () => {
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [...agents], nextPageToken: 'more' }));
      const { out } = await rpc(['list-agents', '-o', 'table']);
      expect(squeezed(out)).to.equal(
        'id name state alive mark cwd\nagt_1 one\\u001b[31m AGENT_STATE_IDLE true a\nagt_2 two /src\n\nnextPageToken more\n',
      );
      service.on('agent.v1.AgentService/GetAgent', () => ({ agent: agents[1] }));
      const one = await rpc(['get-agent', '--agent-id', 'agt_2', '-o', 'table']);
      expect(squeezed(one.out)).to.equal('id agt_2\nname two\ncwd /src\n');
      service.on('agent.v1.AgentService/ListAgents', () => ({}));
      expect((await rpc(['list-agents', '-o', 'table'])).out).to.equal('nothing\n');
    });

    it('prints as many columns as fit the terminal', async () => {
      const row = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`flags${place}`, `${place}`]));
      const wide = await fakeService((_request, response) => Boolean(response.end(JSON.stringify({ agents: [row] }))));
      const env = { SERVICE_BASE_URL: wide.url, SERVICE_TOKEN: 't' };
      const { out } = await runInside(['rpc', 'list-agents', '-o', 'table'], { env, tty: true });
      await wide.close();
      expect(out.split('\n')[0]?.split(/ +/)).to.have.length(7);
    });
  });

  describe('--watch', () => {
    let stop: AbortController;
    beforeEach(() => {
      stop = new AbortController();
    });
    afterEach(() => stop.abort());

    it('polls, and prints an answer only after a change', async () => {
      const answers = ['one', 'one', 'two'];
      service.on('agent.v1.AgentService/GetAgent', () => ({
        agent: { agent: { id: 'agt_1', name: answers.shift() ?? 'two' } },
      }));
      const onOut = (out: string) => out.includes('two') && stop.abort();
      const argv = ['get-agent', '--agent-id', 'agt_1', '--watch'];
      const { out, code } = await rpc(argv, { signal: stop.signal, onOut });
      const line = (name: string) => `{"agent":{"agent":{"id":"agt_1","name":"${name}"}}}\n`;
      expect(out).to.equal(line('one') + line('two'));
      expect(code).to.equal(0);
      expect(service.calls.length).to.be.at.least(3);
    });

    it('draws a table in place on a terminal', async () => {
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [{ agent: { id: 'agt_1' } }] }));
      const onOut = (out: string) => out.includes('agt_1') && stop.abort();
      const { out } = await rpc(['list-agents', '-w', '-o', 'table'], { tty: true, signal: stop.signal, onOut });
      expect(out.startsWith('\u001b[2J\u001b[H'), 'it clears the screen').to.equal(true);
    });

    it('resumes a watch after a restart, from its last cursor', async () => {
      const asked: unknown[] = [];
      service.onWatch('fact.v1.FactService/WatchFacts', async function* ({ cursor }) {
        asked.push(cursor);
        yield { cursor: `${asked.length}` };
      });
      const onOut = (out: string) => out.split('\n').length > 2 && stop.abort();
      const { out } = await rpc(['watch-facts', '--cursor', 'c', '--watch'], { signal: stop.signal, onOut });
      expect(out).to.equal('{"cursor":"1"}\n{"cursor":"2"}\n');
      expect(asked).to.deep.equal(['c', '1']);
    });

    it('is not offered for operations that write', async () => {
      const { code, err } = await rpc(['archive-agent', '--agent-id', 'agt_1', '--watch']);
      expect(err).to.include("unknown option '--watch'");
      expect(code).to.equal(2);
    });
  });
});
