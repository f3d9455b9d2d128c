import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import { type Look, lookBy, type Sight } from '#actors/host/reading/sight.ts';
import { Typist } from '#actors/host/typing/typist.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { builtIn } from '#machines/harness/table.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type MachineTimer, systemTimer } from '#world/concurrency/timer.ts';
import type { Pane, Terminal, Terminals } from '#world/terminal/terminal.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
const asked = { agentId, ticket: 'ticket' };
const program = fileURLToPath(new URL('./composer-program.mjs', import.meta.url));

describe('typing for an agent', function () {
  this.timeout(40_000);
  let folder: TemporaryFolder;
  let terminals: Terminals;
  let terminal: Terminal;
  let pane: Pane;
  let typist: Typist;
  let told: AgentEvent[];
  const look: Look = lookBy(builtIn);

  beforeEach(() => {
    [heldAt, heldAtRegistry] = [undefined, undefined];
    folder = temporaryFolder('typist');
    terminals = createTmuxTerminals({ runDir: folder.path, environment: { PATH: process.env['PATH'] ?? '' } });
    told = [];
    clock = systemTimer;
    leftMs = 60_000;
  });
  afterEach(async () => {
    typist.stop();
    await terminals.end(agentId);
    folder.remove();
  });

  /** A clock that runs four times as fast, for what is waited for in vain. */
  const hastyTimer: MachineTimer = {
    now: systemTimer.now,
    monotonic: () => systemTimer.monotonic() * 4,
    sleep: (milliseconds, signal) => systemTimer.sleep(milliseconds / 4, signal),
  };
  let clock: MachineTimer;
  /** For how long what is asked for may be done. */
  let leftMs: number;
  /** Since when a person holds the agent, as its host knows and as it is. */
  let heldAt: number | undefined;
  let heldAtRegistry: number | undefined;

  /** Opens the agent's pane and waits until it is at rest. */
  async function open(...faults: readonly string[]): Promise<void> {
    await run([process.execPath, program, folder.path, ...faults], 'claude');
    await shows('AGENT_STATE_IDLE');
  }

  async function run(
    argv: readonly string[],
    harness: string,
    phase: object | string = { live: 'idle' },
  ): Promise<void> {
    terminal = await terminals.of(agentId);
    pane = await terminal.open({ agentId, name: 'Ada', cwd: folder.path, argv, env: {} });
    const context = { paneId: pane.paneId, name: 'Ada', heldAt };
    const actor = {
      record: { family: agentId, launch: { harness }, snapshot: { value: phase } },
      context,
      refresh: () => {
        context.heldAt = heldAtRegistry;
      },
      typedAt: false,
      send: (event: AgentEvent) => told.push(event),
      quiet: async () => {},
    };
    const ownActor = (id: string) => (id === agentId ? (actor as unknown as AgentActor) : undefined);
    const permission = async () => ({ record: actor.record as unknown as AgentRecord, leftMs });
    const registry = { permit: permission, load: async () => (await permission()).record };
    typist = new Typist({ actor: ownActor, terminals, harnesses: builtIn, look, registry, clock });
  }

  const sight = (harness = 'claude'): Promise<Sight | undefined> => look(terminal, pane.paneId, harness);
  const shows = (state: string, harness = 'claude') =>
    moment(state, async () => ((await sight(harness))?.reading.state === state ? sight(harness) : undefined), 15_000);
  const logged = (file: string): unknown[] => {
    const path = join(folder.path, file);
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const refusal = async (work: Promise<unknown>) => {
    const { code, message } = await failureOf(() => work);
    return `${code}: ${message}`;
  };

  it('submits a prompt whole and tells what the pane came to', async () => {
    await open();
    await typist.prompt(asked, 'work');
    expect(logged('submitted')).to.deep.equal(['work']);
    expect(logged('keys')).to.deep.equal(['\r']);
    expect(told).to.have.length(1);
    expect(told[0]).to.deep.include({ type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
  });

  it('types nothing once its permit has run out', async () => {
    await open();
    leftMs = 0;
    expect(await refusal(typist.prompt(asked, 'work'))).to.match(/^unavailable: Nothing more was typed/);
    heldAtRegistry = 1;
    expect(await refusal(typist.type(asked, [{ text: 'x' }]))).to.match(/^unavailable: /);
    leftMs = 60_000;
    heldAtRegistry = undefined;
    await typist.prompt(asked, 'work');
    expect(logged('submitted')).to.deep.equal(['work']);
    leftMs = 0;
    expect(await refusal(typist.interrupt(asked))).to.match(/^unavailable: /);
    expect(logged('keys')).to.deep.equal(['\r']);
  });

  it('never says that nothing was typed once something was', async () => {
    let passed = 0;
    clock = { ...systemTimer, monotonic: () => systemTimer.monotonic() + passed };
    heldAtRegistry = 1;
    await open();
    const inputs = [{ text: 'half' }, { text: ' and half' }];
    const heldUp = new Proxy(inputs, {
      get(all, place) {
        if (place === '1') passed = 120_000;
        return Reflect.get(all, place);
      },
    });
    expect(await refusal(typist.type(asked, heldUp))).to.match(/^deadline_exceeded: Part of it may have been typed/);
    await terminal.close(pane.paneId);
    expect(await refusal(typist.type(asked, inputs))).to.match(/^failed_precondition: Nothing was typed/);
  });

  it('types nothing for an agent that a person holds, and goes by what the registry knows where it was given back', async () => {
    [heldAt, heldAtRegistry] = [1, 1];
    await open();
    expect(await refusal(typist.prompt(asked, 'work'))).to.match(/^failed_precondition: .*a person holds it since/);
    expect(logged('submitted')).to.deep.equal([]);
    heldAtRegistry = undefined;
    await typist.prompt(asked, 'work');
    expect(logged('submitted')).to.deep.equal(['work']);
  });

  it('types what a person types while they hold the agent, and nothing else', async () => {
    await open();
    const typing = typist.type(asked, [{ text: 'work;' }, { key: 'Enter' }]);
    expect(await refusal(typing)).to.match(/^failed_precondition: .*nobody has taken it over/);
    heldAtRegistry = 1;
    await typist.type(asked, [{ text: 'do ' }, { text: 'it;' }, { key: 'Enter' }]);
    await moment('it is submitted', () => logged('submitted').length > 0);
    await typist.type(asked, [{ paste: 'two\nlines' }, { key: 'Enter' }]);
    await moment('that too', () => logged('submitted').length > 1);
    expect(logged('submitted')).to.deep.equal(['do it;', 'two\nlines']);
    expect(told).to.deep.equal([]);
  });

  it('submits whatever a person may write, byte for byte, and one after another', async () => {
    await open();
    const texts = [
      ';',
      '-',
      '#(touch pwned)',
      'a \u001b[201~\rrm -rf /',
      '漢字 👩🏽‍💻 e\u0301\n\tindented; "\'`$HOME',
      'x'.repeat(50_000),
    ];
    await Promise.all(texts.map((text) => typist.prompt(asked, text)));
    const clean = texts.map((text) => text.replace('\u001b', '').replace('\r', '\n'));
    expect(logged('submitted')).to.deep.equal(clean);
    expect(logged('keys')).to.deep.equal(texts.map(() => '\r'));
    expect(existsSync(join(folder.path, 'pwned'))).to.equal(false);
  });

  it('presses Enter once more where the first one is swallowed', async () => {
    await open('swallow-once');
    await typist.prompt(asked, 'again');
    expect(logged('submitted')).to.deep.equal(['again']);
    expect(logged('keys')).to.deep.equal(['\r', '\r']);
  });

  it('gives up after the second Enter, and then refuses to type on top of the draft', async () => {
    clock = hastyTimer;
    await open('swallow');
    expect(await refusal(typist.prompt(asked, 'stuck'))).to.match(/^aborted: .*stands in its composer/);
    expect(logged('keys')).to.deep.equal(['\r', '\r']);
    expect(await refusal(typist.prompt(asked, 'more'))).to.match(/^failed_precondition: .*not sent stands/);
    expect(logged('keys')).to.have.length(2);
  });

  it('submits nothing where a question comes up in between', async () => {
    await open('asks-on-paste');
    expect(await refusal(typist.prompt(asked, 'hello'))).to.match(/^aborted: /);
    expect(logged('keys')).to.deep.equal([]);
  });

  it('submits nothing where the paste does not show', async () => {
    clock = hastyTimer;
    await open('deaf');
    expect(await refusal(typist.prompt(asked, 'hello there'))).to.match(/^aborted: .*showed nothing/);
    expect(logged('keys')).to.deep.equal([]);
  });

  it('submits a character that the terminal cannot draw', async () => {
    await open('draws-no-draft');
    await typist.prompt(asked, '\u{1e4d3}');
    expect(logged('submitted')).to.deep.equal(['\u{1e4d3}']);
    expect(logged('keys')).to.deep.equal(['\r']);
  });

  it('refuses a prompt while a question is open, and where a person scrolls, types, or nothing is left of it', async () => {
    await open();
    expect(await refusal(typist.prompt(asked, '\u0007\n'))).to.match(/^invalid_argument: /);
    tmux('copy-mode');
    expect(await refusal(typist.prompt(asked, 'x'))).to.match(/^failed_precondition: .*scrolls/);
    tmux('send-keys', '-X', 'cancel');
    await typist.prompt(asked, 'ask');
    await shows('AGENT_STATE_WAITING');
    expect(await refusal(typist.prompt(asked, 'x'))).to.match(/^failed_precondition: .*waits for a person's answer/);
    expect(logged('submitted')).to.deep.equal(['ask']);
  });

  it('refuses a CLI that fell back to a shell, one at work that takes no prompts, and one that has ended', async () => {
    await run(['bash', '--norc', '-i'], 'claude');
    await moment('the prompt of the shell', async () =>
      (await sight())?.capture.rows.some((row) => /[$#]\s*$/.test(row)),
    );
    expect(await refusal(typist.prompt(asked, 'ls'))).to.match(/^failed_precondition: .*a shell runs in its place/);
    await terminal.close(pane.paneId);
    await run(['bash', '--noprofile', '--norc', '-c', 'echo at work; exec sleep 60'], 'shell');
    await shows('AGENT_STATE_THINKING', 'shell');
    expect(await refusal(typist.prompt(asked, 'ls'))).to.match(/^failed_precondition: .*takes no prompt meanwhile/);
    process.kill(pane.pid, 'SIGKILL');
    await moment('the end', async () => (await terminal.panes())[0]?.dead);
    expect(await refusal(typist.prompt(asked, 'ls'))).to.match(/^failed_precondition: .*has ended/);
  });

  it('refuses an agent that is not here, or not at work', async () => {
    await run(['cat'], 'claude', { settingUp: 'briefing' });
    expect(await refusal(typist.prompt(asked, 'x'))).to.match(/^failed_precondition: .*settingUp.briefing/);
    expect(await refusal(typist.interrupt({ ...asked, agentId: 'agt_other' }))).to.match(/^failed_precondition: /);
  });

  it('takes a prompt for the next turn while the CLI is at work', async () => {
    await open();
    await typist.prompt(asked, 'work');
    await typist.prompt(asked, 'and then this');
    expect(logged('submitted')).to.deep.equal(['work', 'and then this']);
  });

  it('interrupts a turn, and refuses where there is none', async () => {
    await open();
    expect(await refusal(typist.interrupt(asked))).to.match(/^failed_precondition: .*no turn/);
    await typist.prompt(asked, 'work');
    await typist.interrupt(asked);
    expect(logged('keys')).to.deep.equal(['\r', '\u001b']);
    expect(told.at(-1)).to.deep.include({ reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    await typist.prompt(asked, 'ask');
    await shows('AGENT_STATE_WAITING');
    expect(await refusal(typist.interrupt(asked))).to.match(/^failed_precondition: .*WAITING/);
  });

  it('says where a turn goes on all the same', async () => {
    clock = hastyTimer;
    await open('goes-on');
    await typist.prompt(asked, 'work');
    expect(await refusal(typist.interrupt(asked))).to.match(/^aborted: .*goes on/);
    expect(logged('keys')).to.deep.equal(['\r', '\u001b', '\u001b']);
  });

  it('answers the question that was seen, key after key', async () => {
    await open();
    await typist.prompt(asked, 'ask');
    const { screenDigest } = await shows('AGENT_STATE_WAITING');
    await typist.answer(asked, screenDigest, ['Down', 'Enter']);
    expect(logged('keys')).to.deep.equal(['\r', '\u001b[B', '\r']);
    expect(told.at(-1)).to.deep.include({ reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    expect(await refusal(typist.answer(asked, screenDigest, ['Enter']))).to.match(
      /^failed_precondition: .*asks nothing/,
    );
  });

  it('answers before the briefing too, which waits for that, and takes no prompt then', async () => {
    await run([process.execPath, program, folder.path], 'claude', { settingUp: { briefing: 'asked' } });
    await shows('AGENT_STATE_IDLE');
    await terminal.paste(pane.paneId, 'ask');
    await terminal.submit(pane.paneId);
    const { screenDigest } = await shows('AGENT_STATE_WAITING');
    expect(await refusal(typist.prompt(asked, 'x'))).to.match(/^failed_precondition: .*settingUp.briefing.asked/);
    await typist.answer(asked, screenDigest, ['Down', 'Enter']);
    expect(told.at(-1)).to.deep.include({ reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
  });

  it('types an answer that is sent by Enter', async () => {
    const script = 'echo begun; read -p "Go on? [y/N] " x; echo "got $x"; exec sleep 60';
    await run(['bash', '--noprofile', '--norc', '-c', script], 'shell');
    const { screenDigest } = await shows('AGENT_STATE_WAITING', 'shell');
    await typist.answer(asked, screenDigest, ['y', 'Enter']);
    await moment('the answer', async () => (await sight('shell'))?.capture.rows.includes('got y'));
  });

  it('presses nothing where the screen has changed since, and no key after the question has gone', async () => {
    await open();
    await typist.prompt(asked, 'ask');
    const { screenDigest } = await shows('AGENT_STATE_WAITING');
    tmux('send-keys', 'Down');
    await moment('the mark moves', async () => (await sight())?.screenDigest !== screenDigest);
    expect(await refusal(typist.answer(asked, screenDigest, ['Enter']))).to.match(/^aborted: .*is not the one/);
    const now = (await shows('AGENT_STATE_WAITING')).screenDigest;
    expect(await refusal(typist.answer(asked, now, ['2', 'Enter']))).to.match(/^aborted: .*after 1 of 2 keys/);
    expect(logged('keys')).to.deep.equal(['\r', '\u001b[B', '2']);
  });

  function tmux(...command: readonly string[]): void {
    const [name = '', ...rest] = command;
    execFileSync('tmux', ['-S', socketOf(socketFolder(folder.path), agentId), name, '-t', pane.paneId, ...rest]);
  }
});
