import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ResponseOf } from '#cli/client/client.ts';
import { loadSamples } from '#test/pane/screen-corpus.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, runProgram, type Setting } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

type Explanation = ResponseOf<'agent.v1.AgentService/ExplainAgent'>;

const golden = (path: string) => fileURLToPath(new URL(`../../pane/${path}/screen.txt`, import.meta.url));
const screen = readFileSync(golden('claude/permission-bash'), 'utf8');

const asked: Explanation = {
  agent: { id: 'agt_reader', name: 'reader', state: 'AGENT_STATE_WAITING', stateReason: 'permission', alive: true },
  source: 'EXPLANATION_SOURCE_LIVE',
  readAt: '2026-11-21T08:59:59.000Z',
  reading: {
    state: 'AGENT_STATE_WAITING',
    rule: 'claude/permission',
    reason: 'permission',
    evidence: ['❯ 1. Yes', '  2. No\u001b[2J'],
  },
  lost: [{ rule: 'claude/rest', why: 'outranked by claude/permission' }],
  rules: { harness: 'claude', version: 'abc123' },
  moves: [
    {
      ordinal: 2,
      at: '2026-11-21T08:57:00.000Z',
      from: 'AGENT_STATE_THINKING',
      to: 'AGENT_STATE_WAITING',
      reason: 'permission',
      rule: 'claude/permission',
      harness: 'claude',
      rulesVersion: 'abc123',
    },
    {
      ordinal: 1,
      at: '2026-11-21T08:56:00.000Z',
      from: 'AGENT_STATE_SETTING_UP',
      to: 'AGENT_STATE_THINKING',
      reason: 'the script ended with 1; its last output:\nls: no such file',
    },
  ],
};

/** The same with the screen of the last move. */
const withScreens = (text: string, rule = 'claude/permission'): Explanation => {
  const [last = {}, ...others] = asked.moves ?? [];
  const kept = { text, title: '', width: 80, height: 24, cursorColumn: 0, cursorRow: 0, command: 'claude' };
  return { ...asked, moves: [{ ...last, rule, screen: kept }, ...others] };
};

describe('muster why', () => {
  let home: TemporaryFolder;
  let service: FakeService;
  let explanation: Explanation;

  beforeEach(async () => {
    home = temporaryFolder('why');
    service = await fleetService();
    explanation = asked;
    service.on('agent.v1.AgentService/ExplainAgent', () => explanation);
  });
  afterEach(async () => {
    await service.close();
    home.remove();
  });

  const env = () => ({ MUSTER_HOME: home.path, MUSTER_URL: service.url, SERVICE_TOKEN: 't' });
  const why = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(['why', ...argv], { env: env(), ...setting });

  describe('of an agent', () => {
    it('reports state, rule, evidence, the losing rules, and the last transitions', async () => {
      const { out, code } = await why(['reader', '-o', 'table']);
      expect(code).to.equal(0);
      expect(out).to.equal(
        [
          'reader is WAITING (permission)',
          '',
          'state     WAITING',
          'rule      claude/permission',
          'reason    permission',
          'evidence  ❯ 1. Yes',
          '            2. No\\u001b[2J',
          'read      from its pane, at 2026-11-21T08:59:59.000Z',
          'rules     claude abc123 (built in)',
          '',
          'REJECTED RULE  WHY',
          'claude/rest    outranked by claude/permission',
          '',
          'LAST TRANSITIONS',
          '#2  2026-11-21T08:57:00.000Z  THINKING → WAITING (permission)  claude/permission',
          '#1  2026-11-21T08:56:00.000Z  SETTING_UP → THINKING (the script ended with 1)',
          '',
        ].join('\n'),
      );
      expect(service.requestsOf('agent.v1.AgentService/ExplainAgent')).to.deep.equal([{ agentId: 'agt_reader' }]);
    });

    it('reports that the CLI is newer than the rules', async () => {
      const rules = { ...asked.rules, recordedWith: '2.1.187' };
      const newer = /^newer +rules recorded with 2\.1\.187, this is 2\.2\.0$/m;
      explanation = { ...asked, agent: { ...asked.agent, harnessVersion: '2.2.0' }, rules };
      expect((await why(['reader', '-o', 'table'])).out).to.match(newer);
      explanation = { ...asked, agent: { ...asked.agent, harnessVersion: '2.1.187' }, rules };
      expect((await why(['reader', '-o', 'table'])).out).not.to.include('newer');
    });

    it('is about the agent itself in its pane, unless a screen is given', async () => {
      const env = { SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', SERVICE_AGENT_ID: 'agt_lead' };
      expect((await runInside(['why'], { env })).code).to.equal(0);
      expect(service.requestsOf('agent.v1.AgentService/ExplainAgent')).to.deep.equal([{ agentId: 'agt_lead' }]);
    });

    it('prints the patterns of the losing rules only with --rules', async () => {
      const lacks = 'lacks form row ^Do you; barred by title text .*busy';
      explanation = { ...asked, lost: [...(asked.lost ?? []), { rule: 'claude/plan', why: lacks }] };
      const { out } = await why(['reader', '-o', 'table']);
      expect(out)
        .to.include('outranked by claude/permission')
        .and.to.include('lacks what it looks for in the form\n… --rules shows')
        .and.not.include('^Do you');
      const { out: whole } = await why(['reader', '--rules', '-o', 'table']);
      expect(whole).to.include(lacks).and.not.include('… --rules');
    });

    it('prints the service’s answer as JSON', async () => {
      expect(JSON.parse((await why(['reader'])).out)).to.deep.equal(asked);
    });

    it('reports a missing screen, a difference to the list, and a refused file', async () => {
      explanation = {
        ...asked,
        source: 'EXPLANATION_SOURCE_RECORD',
        sourceReason: 'It has no window: its launch failed; retry_agent launches it again',
        difference: 'it counts as idle once its screen has stopped changing',
        rules: {
          harness: 'claude',
          version: 'abc123',
          file: '/m/rules/claude.json',
          faults: [{ line: 7, reason: 'rules[0].id: Invalid string' }],
          instead: 'the built-in version',
        },
      };
      const { out } = await why(['reader', '-o', 'table']);
      expect(out).to.include(
        'read      on record, at 2026-11-21T08:59:59.000Z\nnot read  It has no window: its launch failed; muster retry launches it again\n',
      );
      expect(out).to.include('but       it counts as idle once');
      expect(out).to.include(
        'refused   /m/rules/claude.json line 7: rules[0].id: Invalid string; the built-in version stays in use',
      );
    });

    it('prints the requested number of transitions with their screens', async () => {
      explanation = withScreens('\u001b[1mtop\u001b[0m\n\nmiddle\nbottom\u001b]0;evil\u0007');
      const { out } = await why(['reader', '--transitions', '--rows', '2', '-o', 'table']);
      expect(out).to.include('claude/permission\n    │ middle\n    │ bottom\\u001b]0;evil\\u0007\n');
      expect(service.requestsOf('agent.v1.AgentService/ExplainAgent')).to.deep.equal([
        { agentId: 'agt_reader', view: 'VIEW_FULL' },
      ]);
      const one = await why(['reader', '--moves', '-n', '1']);
      expect((JSON.parse(one.out) as unknown[]).length).to.equal(1);
    });

    it('reads their screens again with the current rules, and marks different results', async () => {
      explanation = withScreens(screen);
      expect((await why(['reader', '--replay', '-o', 'table'])).out).to.match(
        /^ {2}#2 .*\n1 screen read again, 0 with another result\n$/,
      );
      explanation = withScreens(screen, 'claude/older');
      const { out } = await why(['reader', '--replay', '-o', 'table']);
      expect(out).to.match(/^≠ #2 .*claude\/older\n {6}now WAITING \(permission\) {2}claude\/permission\n/);
      const [replay] = JSON.parse((await why(['reader', '--replay'])).out) as { same: boolean; now: object }[];
      expect(replay).to.deep.include({ same: false });
      expect(replay?.now).to.deep.include({ rule: 'claude/permission' });
    });

    it('reports that there is no transition yet', async () => {
      explanation = { ...asked, moves: [] };
      expect(await why(['reader', '--transitions'])).to.deep.include({ code: 4 });
    });
  });

  describe('of a screen in a file', () => {
    const given = ['--screen', golden('claude/permission-bash'), '--harness', 'claude'];

    it('needs no service', async () => {
      const { out, code } = await why([...given, '-o', 'json'], { env: { MUSTER_HOME: home.path } });
      expect(code).to.equal(0);
      const { reading, rules } = JSON.parse(out) as { reading: object; rules: object };
      expect(reading).to.deep.include({
        state: 'AGENT_STATE_WAITING',
        rule: 'claude/permission',
        reason: 'permission',
      });
      expect(rules)
        .to.have.property('version')
        .that.matches(/^[0-9a-f]{12}$/);
      expect((await why([...given, '-o', 'table'])).out).to.match(/^state {5}WAITING\nrule {6}claude\/permission\n/);
    });

    it('reads one from standard input, with other details of the pane', async () => {
      const rows = 'muster:repo$ ';
      const shell = ['--screen', '-', '--harness', 'shell', '--command', 'bash', '--cursor', '13,0', '--width', '80'];
      const { out } = await why(shell, { stdin: rows });
      expect((JSON.parse(out) as { reading: object }).reading).to.deep.include({ rule: 'shell/prompt' });
      const titled = ['--screen', '-', '--harness', 'gemini', '--title', '✦  Working… (x)', '--height', '24'];
      const working = await why(titled, { stdin: 'some text' });
      expect((JSON.parse(working.out) as { reading: object }).reading).to.deep.include({
        rule: 'gemini/title-working',
      });
      const status = ['--screen', '-', '--harness', 'codex', '--status', 'state=working', '--progress', '0'];
      expect((await why(status, { stdin: 'some text' })).out).to.include('status/working');
    });

    it('uses the rules of the state folder too', async () => {
      mkdirSync(join(home.path, 'rules'));
      const rules = [
        { id: 'house/any', priority: 5000, state: 'AGENT_STATE_THINKING', all: [{ in: 'screen', is: 'present' }] },
      ];
      writeFileSync(join(home.path, 'rules', 'claude.json'), JSON.stringify({ rules }));
      expect((await why([...given, '-o', 'table'])).out).to.match(/^rule +house\/any$/m);
      writeFileSync(join(home.path, 'rules', 'claude.json'), '{\n"rules": [}');
      const { out } = await why([...given, '-o', 'table']);
      expect(out)
        .to.include('rule      claude/permission')
        .and.match(/refused +\S+claude\.json line 2: it is not JSON/);
    });

    for (const { what, argv, code, says } of [
      { what: 'no harness', argv: ['--screen', 'x'], code: 2, says: '--harness' },
      { what: 'an unknown harness', argv: ['--screen', golden('pi/rest'), '--harness', 'vim'], code: 4, says: '"vim"' },
      { what: 'no such file', argv: ['--screen', '/none', '--harness', 'pi'], code: 4, says: '/none' },
      { what: 'nothing at all', argv: [], code: 2, says: 'none of them is' },
      { what: 'two things', argv: ['reader', '--batch'], code: 2, says: 'a name and --batch' },
      { what: 'a cursor that is none', argv: [...given, '--cursor', 'x'], code: 2, says: 'column and a row' },
    ]) {
      it(`is refused with ${what}`, async () => {
        const outcome = await why(argv);
        expect(outcome.code).to.equal(code);
        expect(outcome.err).to.include(says);
      });
    }
  });

  describe('of a batch', () => {
    const batch = (stdin: string, ...argv: string[]) => why(['--batch', '-o', 'jsonl', ...argv], { stdin });
    const linesOf = ({ out }: Outcome) =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);

    it('answers each line with state, rule, reason and evidence, in order', async () => {
      const samples = loadSamples()
        .filter(({ harness }) => ['claude', 'gemini'].includes(harness))
        .slice(0, 40);
      const lines = samples.map(({ harness, capture }) =>
        JSON.stringify({
          harness,
          screen: capture.rows.join('\n'),
          title: capture.title,
          width: capture.width,
          height: capture.height,
        }),
      );
      const outcome = await batch(`${lines.join('\n')}\n`);
      expect(outcome.code).to.equal(0);
      const answers = linesOf(outcome);
      expect(answers.map(({ state }) => state)).to.deep.equal(samples.map(({ state }) => state));
      expect(Object.keys(answers[0] ?? {})).to.deep.equal(['state', 'rule', 'reason', 'evidence']);
    });

    it('prints an error for an unreadable line, continues, and exits with 2', async () => {
      const good = JSON.stringify({ harness: 'claude', screen });
      const outcome = await batch([good, 'oops', '{"harness":"claude"}', '', good].join('\n'));
      expect(outcome.code).to.equal(2);
      const answers = linesOf(outcome);
      expect(
        answers.map((answer) =>
          'error' in answer ? (answer['error'] as { message: string }).message : answer['rule'],
        ),
      ).to.deep.equal([
        'claude/permission',
        'line 2 is not JSON: "oops"',
        'line 3: screen: Invalid input',
        'line 4 is not JSON: ""',
        'claude/permission',
      ]);
      expect(answers[1]).to.have.nested.property('error.code', 'invalid_argument');
    });

    it('accepts rows as a list, and null for unknown fields', async () => {
      const line = { harness: 'claude', screen: screen.split('\n'), title: null, width: null, height: 24 };
      expect(linesOf(await batch(JSON.stringify(line)))[0]).to.deep.include({ rule: 'claude/permission' });
    });

    it('continues after a screen with too many rows to read in time', async () => {
      const huge = JSON.stringify({ harness: 'claude', screen: '❯ 1. Yes\n'.repeat(200_000) });
      const answers = linesOf(await batch([huge, JSON.stringify({ harness: 'claude', screen })].join('\n')));
      expect(answers.map(({ state, reason }) => `${state} ${reason}`)).to.deep.equal([
        'AGENT_STATE_UNCERTAIN unread',
        'AGENT_STATE_WAITING permission',
      ]);
    });

    it('omits the reading for an unknown harness', async () => {
      const [answer] = linesOf(await batch('{"harness":"vim","screen":"x"}'));
      expect(answer).to.deep.equal({ state: 'AGENT_STATE_UNCERTAIN', rule: 'none', reason: '', evidence: [] });
    });

    it('answers each line before the next one arrives', async () => {
      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const pieces = [`{"harness":"vim","screen":"a"}\n{"harness":"v`, `im","screen":"b"}\n`];
      let seen = 0;
      const chunks = (async function* () {
        yield pieces[0] ?? '';
        await gates[0]?.promise;
        yield pieces[1] ?? '';
        await gates[1]?.promise;
      })();
      const onOut = (out: string) => {
        seen = out.split('\n').length - 1;
        gates[seen - 1]?.resolve();
      };
      await why(['--batch'], { chunks, onOut });
      expect(seen).to.equal(2);
    });

    it('prints JSON lines only', async () => {
      expect(await batch('', '-o', 'json')).to.deep.include({ code: 2, out: '' });
    });

    it('reads them from a pipe as its own process', async () => {
      const stdin = `${JSON.stringify({ harness: 'claude', screen })}\n`;
      const outcome = await runProgram(['why', '--batch', '-o', 'jsonl'], { env: { MUSTER_HOME: home.path }, stdin });
      expect(outcome).to.deep.include({ code: 0, err: '' });
      expect(linesOf(outcome)[0]).to.deep.include({ state: 'AGENT_STATE_WAITING' });
    });
  });
});
