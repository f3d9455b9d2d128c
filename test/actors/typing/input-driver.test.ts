import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { asked, hastyTimer, program, refusal, TypingStage } from './typing-stage.ts';

describe('typing for an agent', () => {
  let stage: TypingStage;
  beforeEach(() => {
    stage = new TypingStage();
  });
  afterEach(() => stage.end());

  it('submits a whole prompt and reports the resulting screen', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'work');
    expect(stage.logged('submitted')).to.deep.equal(['work']);
    expect(stage.logged('keys')).to.deep.equal(['\r']);
    expect(stage.told).to.have.length(1);
    expect(stage.told[0]).to.deep.include({ type: 'PROMPTED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
  });

  it('types nothing after its permit expired', async () => {
    await stage.open();
    stage.leftMs = 0;
    expect(await refusal(stage.inputDriver.prompt(asked, 'work'))).to.match(/^unavailable: Nothing more was typed/);
    stage.heldAtRegistry = 1;
    expect(await refusal(stage.inputDriver.type(asked, [{ text: 'x' }]))).to.match(/^unavailable: /);
    stage.leftMs = 60_000;
    stage.heldAtRegistry = undefined;
    await stage.inputDriver.prompt(asked, 'work');
    expect(stage.logged('submitted')).to.deep.equal(['work']);
    stage.leftMs = 0;
    expect(await refusal(stage.inputDriver.interrupt(asked))).to.match(/^unavailable: /);
    expect(stage.logged('keys')).to.deep.equal(['\r']);
  });

  it('never reports that nothing was typed after something was', async () => {
    let passed = 0;
    stage.clock = { ...systemTimer, monotonic: () => systemTimer.monotonic() + passed };
    stage.heldAtRegistry = 1;
    await stage.open();
    const inputs = [{ text: 'half' }, { text: ' and half' }];
    const heldUp = new Proxy(inputs, {
      get(all, place) {
        if (place === '1') passed = 120_000;
        return Reflect.get(all, place);
      },
    });
    expect(await refusal(stage.inputDriver.type(asked, heldUp))).to.match(
      /^deadline_exceeded: Part of it may have been typed/,
    );
    await stage.terminal.close(stage.pane.paneId);
    expect(await refusal(stage.inputDriver.type(asked, inputs))).to.match(/^failed_precondition: Nothing was typed/);
  });

  it('types nothing for a held agent, and asks the registry whether it was released', async () => {
    [stage.heldAt, stage.heldAtRegistry] = [1, 1];
    await stage.open();
    expect(await refusal(stage.inputDriver.prompt(asked, 'work'))).to.match(
      /^failed_precondition: .*a person has held it since/,
    );
    expect(stage.logged('submitted')).to.deep.equal([]);
    stage.heldAtRegistry = undefined;
    await stage.inputDriver.prompt(asked, 'work');
    expect(stage.logged('submitted')).to.deep.equal(['work']);
  });

  it('types nothing once a budget is used up, but interrupts a turn', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'work');
    stage.overBudget = { ownerId: 'wfl_1', ownerName: 'web', measure: 'turns', used: 2, limit: 2, at: 1 };
    expect(await refusal(stage.inputDriver.prompt(asked, 'more'))).to.match(/^resource_exhausted: .*budget of web/);
    await stage.inputDriver.interrupt(asked);
    expect(stage.logged('submitted')).to.deep.equal(['work']);
  });

  it('types a person’s input while they hold the agent, and nothing else', async () => {
    await stage.open();
    const typing = stage.inputDriver.type(asked, [{ text: 'work;' }, { key: 'Enter' }]);
    expect(await refusal(typing)).to.match(/^failed_precondition: .*it is not held/);
    stage.heldAtRegistry = 1;
    await stage.inputDriver.type(asked, [{ text: 'do ' }, { text: 'it;' }, { key: 'Enter' }]);
    await moment('it is submitted', () => stage.logged('submitted').length > 0);
    await stage.inputDriver.type(asked, [{ paste: 'two\nlines' }, { key: 'Enter' }]);
    await moment('that too', () => stage.logged('submitted').length > 1);
    expect(stage.logged('submitted')).to.deep.equal(['do it;', 'two\nlines']);
    expect(stage.told).to.deep.equal([]);
  });

  it('submits any text byte for byte, in order', async () => {
    await stage.open();
    const texts = [
      ';',
      '-',
      '#(touch pwned)',
      'a \u001b[201~\rrm -rf /',
      '漢字 👩🏽‍💻 e\u0301\n\tindented; "\'`$HOME',
      'x'.repeat(50_000),
    ];
    await Promise.all(texts.map((text) => stage.inputDriver.prompt(asked, text)));
    const clean = texts.map((text) => text.replace('\u001b', '').replace('\r', '\n'));
    expect(stage.logged('submitted')).to.deep.equal(clean);
    expect(stage.logged('keys')).to.deep.equal(texts.map(() => '\r'));
    expect(existsSync(join(stage.folder.path, 'pwned'))).to.equal(false);
  });

  it('presses Enter again if the first one has no effect', async () => {
    await stage.open('swallow-once');
    await stage.inputDriver.prompt(asked, 'again');
    expect(stage.logged('submitted')).to.deep.equal(['again']);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\r']);
  });

  it('gives up after the second Enter, and then does not type over the draft', async () => {
    stage.clock = hastyTimer;
    await stage.open('swallow');
    expect(await refusal(stage.inputDriver.prompt(asked, 'stuck'))).to.match(/^aborted: .*still in its composer/);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\r']);
    expect(await refusal(stage.inputDriver.prompt(asked, 'more'))).to.match(
      /^failed_precondition: .*holds unsent text/,
    );
    expect(stage.logged('keys')).to.have.length(2);
  });

  it('submits nothing if a question appears in between', async () => {
    await stage.open('asks-on-paste');
    expect(await refusal(stage.inputDriver.prompt(asked, 'hello'))).to.match(/^aborted: /);
    expect(stage.logged('keys')).to.deep.equal([]);
  });

  it('submits nothing if the paste does not appear', async () => {
    stage.clock = hastyTimer;
    await stage.open('deaf');
    expect(await refusal(stage.inputDriver.prompt(asked, 'hello there'))).to.match(
      /^aborted: .*did not show what was pasted/,
    );
    expect(stage.logged('keys')).to.deep.equal([]);
  });

  it('submits a character that the terminal cannot draw', async () => {
    await stage.open('draws-no-draft');
    await stage.inputDriver.prompt(asked, '\u{1e4d3}');
    expect(stage.logged('submitted')).to.deep.equal(['\u{1e4d3}']);
    expect(stage.logged('keys')).to.deep.equal(['\r']);
  });

  it('refuses a prompt while a question is open, a person scrolls or types, or no text is left', async () => {
    await stage.open();
    expect(await refusal(stage.inputDriver.prompt(asked, '\u0007\n'))).to.match(/^invalid_argument: /);
    stage.tmux('copy-mode');
    expect(await refusal(stage.inputDriver.prompt(asked, 'x'))).to.match(/^failed_precondition: .*scrolls/);
    stage.tmux('send-keys', '-X', 'cancel');
    await stage.inputDriver.prompt(asked, 'ask');
    await stage.shows('AGENT_STATE_WAITING');
    expect(await refusal(stage.inputDriver.prompt(asked, 'x'))).to.match(
      /^failed_precondition: .*waits for a person's answer/,
    );
    expect(stage.logged('submitted')).to.deep.equal(['ask']);
  });

  it('refuses a CLI that exited to a shell, a busy one without a prompt queue, and one that has ended', async () => {
    await stage.run(['bash', '--norc', '-i'], 'claude');
    await moment('the prompt of the shell', async () =>
      (await stage.sight())?.capture.rows.some((row) => /[$#]\s*$/.test(row)),
    );
    expect(await refusal(stage.inputDriver.prompt(asked, 'ls'))).to.match(
      /^failed_precondition: .*a shell runs in its place/,
    );
    await stage.terminal.close(stage.pane.paneId);
    await stage.run(['bash', '--noprofile', '--norc', '-c', 'echo at work; exec sleep 60'], 'shell');
    await stage.shows('AGENT_STATE_THINKING', 'shell');
    expect(await refusal(stage.inputDriver.prompt(asked, 'ls'))).to.match(
      /^failed_precondition: .*accepts no prompt while/,
    );
    process.kill(stage.pane.pid, 'SIGKILL');
    await moment('the end', async () => (await stage.terminal.panes())[0]?.dead);
    expect(await refusal(stage.inputDriver.prompt(asked, 'ls'))).to.match(/^failed_precondition: .*has ended/);
  });

  it('refuses an agent that is on another host or not running', async () => {
    await stage.run(['cat'], 'claude', { settingUp: 'briefing' });
    expect(await refusal(stage.inputDriver.prompt(asked, 'x'))).to.match(/^failed_precondition: .*settingUp.briefing/);
    expect(await refusal(stage.inputDriver.interrupt({ ...asked, agentId: 'agt_other' }))).to.match(
      /^failed_precondition: /,
    );
  });

  it('types no prompt over a question that only its CLI reports', async () => {
    stage.asksUnseen = true;
    await stage.open();
    const said = await refusal(stage.inputDriver.prompt(asked, 'go on'));
    expect(said).to.match(/^failed_precondition: .*its CLI reports that it asks/);
    expect(stage.logged('keys')).to.deep.equal([]);
  });

  it('queues a prompt while the CLI works', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'work');
    await stage.inputDriver.prompt(asked, 'and then this');
    expect(stage.logged('submitted')).to.deep.equal(['work', 'and then this']);
  });

  it('interrupts a turn, and refuses if there is none', async () => {
    await stage.open();
    expect(await refusal(stage.inputDriver.interrupt(asked))).to.match(/^failed_precondition: .*no turn/);
    await stage.inputDriver.prompt(asked, 'work');
    await stage.inputDriver.interrupt(asked);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\u001b']);
    expect(stage.told.at(-1)).to.deep.include({ reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    await stage.inputDriver.prompt(asked, 'ask');
    await stage.shows('AGENT_STATE_WAITING');
    expect(await refusal(stage.inputDriver.interrupt(asked))).to.match(/^failed_precondition: .*WAITING/);
  });

  it('interrupts Copilot, which ends its turn on two Escapes within half a second', async () => {
    const faulty = [process.execPath, program, stage.folder.path, 'wants-two-at-once'];
    await stage.run(faulty, 'copilot');
    await stage.shows('AGENT_STATE_IDLE', 'copilot');
    await stage.inputDriver.prompt(asked, 'work');
    await stage.inputDriver.interrupt(asked);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\u001b', '\u001b']);
  });

  it('reports a turn that continues', async () => {
    stage.clock = hastyTimer;
    await stage.open('goes-on');
    await stage.inputDriver.prompt(asked, 'work');
    expect(await refusal(stage.inputDriver.interrupt(asked))).to.match(/^aborted: .*continues/);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\u001b', '\u001b']);
  });
});
