import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { topics } from '#cli/help/topics.ts';
import { commandName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { runInside, runProgram } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

describe('muster', () => {
  it('lists every command in its help, without arguments or with --help', async () => {
    const { code, out, err } = await runProgram(['--help']);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    const expected =
      'start setup service open join doctor probe backup upgrade gateway registry host ls show why read new attach prompt answer wait summary result interrupt hold unhold park unpark move mail bell review archive restore retry delete rename mark token ' +
      'demo workflow profile approvals budget schedule forge harness rules prs clean hosts runs run watch notify facts graph inspect logs mcp rpc completion help';
    expect(names).to.deep.equal(expected.split(' '));
    expect((await runInside([])).out).to.equal(out);
  });

  it('has a help for each command', async () => {
    for (const name of 'open ls show why read new attach archive delete rename token workflow profile approvals budget schedule harness hosts facts graph inspect logs mcp rpc'.split(
      ' ',
    )) {
      const { code, out } = await runInside([name, '--help']);
      expect(out).to.match(new RegExp(`^Usage: muster ${name}`));
      expect(code).to.equal(0);
      expect((await runInside(['help', name])).out).to.equal(out);
    }
  });

  it('shows topics from the documentation, whose links say where to read on', async () => {
    const { out } = await runInside(['help', 'topics']);
    for (const { name } of topics) {
      expect(out).to.include(`  ${name} `);
      const shown = await runInside(['help', name]);
      expect(shown).to.include({ code: 0, err: '' });
      expect(shown.out)
        .to.match(/^# /)
        .and.not.match(/\]\([\w./#-]+\)/);
    }
    const { out: operating } = await runInside(['help', 'operating']);
    expect(operating).to.include('(muster help watching)');
    expect((await runInside(['help', 'weather'])).code).to.equal(2);
  });

  it('prints its version', async () => {
    expect((await runInside(['--version'])).out).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('suggests a similar command or flag, and exits with 2', async () => {
    const cases: [string[], string][] = [
      [['arhive', 'x'], "unknown command 'arhive': did you mean archive?\n"],
      [['ls', '--archved'], "unknown option '--archved': did you mean --archived?\n"],
      [['workflow', 'creat', 'x'], "unknown command 'creat': did you mean create?\n"],
      [
        ['ls', '-o', 'yaml'],
        /* */ "option '-o, --output <format>' argument 'yaml' is invalid. Allowed choices are table, json, jsonl.\n",
      ],
      [['show'], "missing required argument 'name': muster show <name>\n"],
      [
        ['new', 'fix', 'it'],
        "too many arguments for 'new'. Expected 1 argument but got 2: fix, it: muster new <prompt>; put a text of several words in quotes\n",
      ],
      [['ls', 'x'], "too many arguments for 'ls'. Expected 0 arguments but got 1: x: muster ls\n"],
      [['new', '--name', 'x', 'hi'], "unknown option '--name': did you mean --title?\n"],
      [['ls', '--json'], "unknown option '--json': did you mean -o json?\n"],
      [['ls', '--status', 'waiting'], "unknown option '--status': did you mean --state?\n"],
      [['facts', '--watch'], "unknown option '--watch': did you mean --follow?\n"],
      [['ls', '-x'], "unknown option '-x': muster ls --help lists its options\n"],
      [['review', 'diff', '--colour'], "unknown option '--colour': muster review diff --help lists its options\n"],
      [['fooo'], "unknown command 'fooo': muster --help lists the commands\n"],
      [['workflow', 'fooo'], "unknown command 'fooo': muster workflow --help lists the commands\n"],
    ];
    for (const [argv, err] of cases) expect(await runInside(argv)).to.deep.equal({ code: 2, out: '', err });
  });

  it('accepts other tools’ words for commands that read or launch', async () => {
    const service = await fleetService();
    service.on('agent.v1.AgentService/CreateAgent', () => ({ agent: { id: 'agt_1', name: 'fix-it' } }));
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', SERVICE_AGENT_ID: 'agt_lead', NO_COLOR: '1' };
    const run = (...argv: string[]) => runInside(argv, { env, tty: true });
    try {
      const [list, shown] = [await run('ls'), await run('show', 'lead')];
      for (const word of ['list', 'ps', 'agents', 'status']) expect(await run(word), word).to.deep.equal(list);
      for (const word of ['status', 'info', 'describe']) expect(await run(word, 'lead'), word).to.deep.equal(shown);
      expect((await run('status', '-o', 'json')).out).to.equal((await run('ls', '-o', 'json')).out);
      expect(await run('workflow', 'list')).to.deep.equal(await run('workflow', 'ls'));
      for (const words of ['agent ls', 'agents list', 'list-agents']) {
        expect(await run(...words.split(' ')), words).to.deep.equal(list);
      }
      for (const words of ['create', 'launch', 'spawn', 'start-agent', 'new-agent', 'agent new', 'agent start'])
        expect((await run(...words.split(' '), 'Fix it')).out, words).to.include('fix-it  agt_1');
      expect(service.requestsOf('agent.v1.AgentService/CreateAgent')).to.have.length(7);
    } finally {
      await service.close();
    }
  });

  it('names the possible commands of a word, and never ends or removes anything by a guess', async () => {
    const cases: readonly (readonly [said: string, way: string])[] = [
      ['kill lead', 'there is no command kill: muster interrupt lead ends its turn, muster archive lead ends its CLI'],
      ['stop', 'muster archive NAME ends its CLI and keeps its work, muster delete NAME removes it'],
      [
        'rm lead',
        'there is no command rm: muster archive lead hides it and keeps its work, muster delete lead removes it',
      ],
      ['rm workflow web', 'there is no command rm workflow: muster workflow delete\n'],
      ['create schedule nightly', 'there is no command create schedule: muster schedule create\n'],
      ['schedule rm nightly', 'there is no command schedule rm: muster schedule delete\n'],
      ['forge delete github.com', 'there is no command forge delete: muster forge rm\n'],
      ['workflow add web', 'there is no command workflow add: muster workflow create\n'],
      ['agent kill lead', 'there is no command kill: muster interrupt lead ends its turn'],
      ['stop-agent lead', 'there is no command stop: muster interrupt lead ends its turn'],
      ['reply lead', 'there is no command reply: muster answer lead answers its question'],
      ['resume lead', 'muster restore lead restarts one that has ended'],
      ['run Fix', 'muster new launches an agent'],
    ];
    const service = await fleetService();
    try {
      for (const [said, way] of cases) {
        const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' };
        const { code, out, err } = await runInside(said.split(' '), { env });
        expect([code, out], said).to.deep.equal([2, '']);
        expect(err).to.include(way);
      }
      expect(service.calls.filter(({ path }) => /Delete|Archive|Interrupt|Create/.test(path))).to.deep.equal([]);
    } finally {
      await service.close();
    }
  });

  it('prints the commands of an incomplete group as a usage error', async () => {
    for (const name of ['rpc', 'workflow', 'mail', 'bell']) {
      const { code, err } = await runInside([name]);
      expect(err)
        .to.match(new RegExp(`Usage: muster ${name}`))
        .and.not.include('(outputHelp)');
      expect(code).to.equal(2);
    }
  });
});

describe('completion', () => {
  let service: FakeService;
  const offers = async (...words: string[]): Promise<string[]> => {
    const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' };
    const { code, out } = await runProgram(['complete', '--', ...words], { env });
    expect(code).to.equal(0);
    return out
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t')[0] ?? '');
  };
  beforeEach(async () => {
    service = await fleetService();
  });
  afterEach(() => service.close());

  it('offers commands, operations, flags and their values', async () => {
    expect(await offers('')).to.include.members(['ls', 'rpc', 'start', 'completion']);
    expect(await offers('rpc', '')).to.include.members(operations.map(commandName));
    expect(await offers('rpc', 'create-agent', '--p')).to.deep.equal([
      '--prompt',
      '--provision-enabled',
      '--parent-agent-id',
      '--profile-id',
    ]);
    expect(await offers('rpc', 'create-agent', '--role', '')).to.deep.equal([
      'implementer',
      'reviewer',
      'orchestrator',
    ]);
  });

  it('offers names of agents and workflows, and none that a shell would run', async () => {
    const hostile = ['$(touch /tmp/x)', '`id`', 'a;b', 'a:b', '-rf', 'with space'].map((name) => agentRow({ name }));
    service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow({ name: 'fix-1.2' }), ...hostile] }));
    expect(await offers('attach', '')).to.deep.equal(['fix-1.2']);
    expect(await offers('workflow', 'show', 'd')).to.deep.equal(['default']);
    await service.close();
    expect(await offers('attach', '')).to.deep.equal([]);
    service = await fleetService();
  });

  it('offers ids from the service to flags for ids, and names to those for names', async () => {
    expect(await offers('rpc', 'get-agent', '--agent-id', 'agt_b')).to.deep.equal(['agt_busy', 'agt_broken']);
    expect(await offers('rpc', 'create-agent', '--parent-agent-id=agt_l')).to.deep.equal(['agt_lead']);
    expect(await offers('rpc', 'get-workflow', '--workflow-id', '')).to.deep.equal(['wfl_1']);
    expect(await offers('rpc', 'update-workflow', '--clear', 'base')).to.deep.equal(['baseBranch']);
    expect(await offers('new', '--parent', 'le')).to.deep.equal(['lead']);
    expect(await offers('new', 'x', '-w', '')).to.deep.equal(['default']);
    expect(await offers('delete', '--force', 'le'), 'a flag without a value').to.deep.equal(['lead']);
    const about = await runProgram(['complete', '--', 'rpc', 'get-agent', '--agent-id', 'agt_lead'], {
      env: { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't' },
    });
    expect(about.out).to.include('agt_lead\tlead\n');
    await service.close();
    expect(await offers('rpc', 'get-agent', '--agent-id', ''), 'without the service').to.deep.equal([]);
    service = await fleetService();
  });

  it('offers harnesses, and runs of scripts by their number', async () => {
    service.on('host.v1.HostService/ListRunLogs', () => ({
      runs: [{ id: 12, script: 'RUN_SCRIPT_SETUP' as const, state: 'RUN_STATE_FAILED' as const }, { id: 3 }],
    }));
    expect(await offers('run', '1')).to.deep.equal(['12']);
    expect(await offers('new', 'x', '--harness', 'co')).to.deep.equal(['codex', 'copilot']);
  });

  it('prints a valid script for each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out, code } = await runProgram(['completion', shell]);
      expect(code).to.equal(0);
      expect(out).to.include('muster complete --');
      if (shell === 'bash') await promisify(execFile)('bash', ['-n', '-c', out]);
    }
    expect((await runProgram(['completion', 'tcsh'])).code).to.equal(2);
  });

  it('installs the script where the shell looks for it', async () => {
    const home = temporaryFolder('completion');
    try {
      for (const [shell, path] of [
        ['bash', '.local/share/bash-completion/completions/muster'],
        ['fish', '.config/fish/completions/muster.fish'],
        ['zsh', '.local/share/zsh/site-functions/_muster'],
      ] as const) {
        const env = { HOME: home.path };
        const { out, code } = await runInside(['completion', shell, '--install'], { env });
        expect(code).to.equal(0);
        expect(out).to.include(join(home.path, path));
        expect(readFileSync(join(home.path, path), 'utf8')).to.equal((await runInside(['completion', shell])).out);
      }
      const file = join(home.path, 'file');
      writeFileSync(file, '');
      const refused = await runInside(['completion', 'bash', '--install'], { env: { HOME: file } });
      expect(refused).to.include({ out: '' });
      expect(refused.err).to.include(file);
    } finally {
      home.remove();
    }
  });
});
