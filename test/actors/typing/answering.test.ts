import { expect } from 'chai';
import type { Key } from '#contract/key.ts';
import { moment } from '#test/support/moment.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { asked, program, refusal, TypingStage } from './typing-stage.ts';

describe('answering for an agent', () => {
  let stage: TypingStage;
  beforeEach(() => {
    stage = new TypingStage();
  });
  afterEach(() => stage.end());

  it('answers the question that the person saw, key by key', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'ask');
    const { screenDigest } = await stage.shows('AGENT_STATE_WAITING');
    await stage.answer(screenDigest, ['Down', 'Enter']);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\u001b[B', '\r']);
    expect(stage.told.at(-1)).to.deep.include({ reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    expect(await refusal(stage.answer(screenDigest, ['Enter']))).to.match(/^failed_precondition: .*asks no question/);
  });

  it('answers before the briefing, which waits, and accepts no prompt until then', async () => {
    await stage.run([process.execPath, program, stage.folder.path], 'claude', { settingUp: { briefing: 'asked' } });
    await stage.shows('AGENT_STATE_IDLE');
    await stage.terminal.paste(stage.pane.paneId, 'ask');
    await stage.terminal.submit(stage.pane.paneId);
    const { screenDigest } = await stage.shows('AGENT_STATE_WAITING');
    expect(await refusal(stage.inputDriver.prompt(asked, 'x'))).to.match(
      /^failed_precondition: .*settingUp.briefing.asked/,
    );
    await stage.answer(screenDigest, ['Down', 'Enter']);
    expect(stage.told.at(-1)).to.deep.include({ reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
  });

  it('types an answer that Enter submits', async () => {
    const script = 'echo begun; read -p "Go on? [y/N] " x; echo "got $x"; exec sleep 60';
    await stage.run(['bash', '--noprofile', '--norc', '-c', script], 'shell');
    const { screenDigest } = await stage.shows('AGENT_STATE_WAITING', 'shell');
    await stage.answer(screenDigest, ['y', 'Enter']);
    await moment('the answer', async () => (await stage.sight('shell'))?.capture.rows.includes('got y'));
  });

  const prints = (row: string) =>
    moment(row, async () => (await stage.sight('shell'))?.capture.rows.some((one) => one.includes(row)));

  it('types a line and submits it, in any kind of field, also a hidden one', async () => {
    const question = await stage.script('read -p "Your name? " x; read -sp "Password: " y; echo; echo "<$x|$y>"');
    expect([question.asked, question.reading.answer]).to.deep.equal(['Your name?', 'line']);
    const { sameQuestion } = await stage.answer(question.screenDigest, ['Enter'], 'Ada L. O’Hara');
    expect(sameQuestion).to.equal(false);
    const next = await stage.shows('AGENT_STATE_WAITING', 'shell');
    expect([next.asked, next.reading.answer]).to.deep.equal(['Password', 'secret']);
    await stage.answer(next.screenDigest, ['Enter'], 'päss; $(w)');
    await prints('<Ada L. O’Hara|päss; $(w)>');
  });

  it('presses no Enter for a program that reads a single key, nor into its next question', async () => {
    const single = await stage.script('read -n1 -p "Go on? [y/N] " x; echo; echo "got $x"');
    await stage.answer(single.screenDigest, ['Enter'], 'y');
    await prints('got y');
    await stage.terminals.end(asked.agentId);
    const first = await stage.script(
      'read -n1 -p "Go on? [y/N] " x; echo; read -p "Delete all? [y/N] " z; echo "z=$z"',
    );
    expect(await refusal(stage.answer(first.screenDigest, ['Enter'], 'y'))).to.match(/^aborted: .*no key was pressed/);
    expect((await stage.shows('AGENT_STATE_WAITING', 'shell')).asked).to.equal('Delete all?');
  });

  it('reports whether the question is still the same', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'ask');
    const { screenDigest } = await stage.shows('AGENT_STATE_WAITING');
    const told = stage.told.length;
    const moved = await stage.answer(screenDigest, ['Down']);
    expect(moved.sameQuestion).to.equal(true);
    expect(moved.screenDigest).to.equal((await stage.sight())?.screenDigest);
    // The agent knows already what it waits at: the next key waits for no commit.
    expect(stage.told.length).to.equal(told);
    expect((await stage.answer(moved.screenDigest, ['Enter'])).sameQuestion).to.equal(false);
    expect(stage.told.length).to.equal(told + 1);
  });

  it('answers a selection at once if it has been shown long enough, and waits otherwise', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'ask');
    const { screenDigest } = await stage.shows('AGENT_STATE_WAITING');
    const pressedAfter = async (keys: readonly Key[], digest: string) => {
      const [from, before] = [systemTimer.monotonic(), stage.logged('keys').length];
      const answering = stage.answer(digest, keys);
      await moment('the key', async () => stage.logged('keys').length > before);
      const tookMs = systemTimer.monotonic() - from;
      return { tookMs, ...(await answering) };
    };
    const late = await pressedAfter(['Down'], screenDigest);
    expect(late.tookMs).to.be.at.least(800);
    // The mark alone has moved, by that very key.
    const moved = await pressedAfter(['Up'], late.screenDigest);
    expect(moved.tookMs).to.be.below(late.tookMs);
    stage.tmux('send-keys', 'Down');
    const { screenDigest: other } = await moment('the mark moves', async () => {
      const now = await stage.sight();
      return now?.screenDigest === moved.screenDigest ? undefined : now;
    });
    stage.questionMs = 800;
    expect((await pressedAfter(['Up'], other)).tookMs).to.be.below(late.tookMs);
  });

  it('presses nothing after the screen changed, and no key after the question is gone', async () => {
    await stage.open();
    await stage.inputDriver.prompt(asked, 'ask');
    const { screenDigest } = await stage.shows('AGENT_STATE_WAITING');
    stage.tmux('send-keys', 'Down');
    await moment('the mark moves', async () => (await stage.sight())?.screenDigest !== screenDigest);
    expect(await refusal(stage.answer(screenDigest, ['Enter']))).to.match(/^aborted: .*is no longer the one/);
    const now = (await stage.shows('AGENT_STATE_WAITING')).screenDigest;
    expect(await refusal(stage.answer(now, ['2', 'Enter']))).to.match(/^aborted: .*after 1 of 2 keys/);
    expect(stage.logged('keys')).to.deep.equal(['\r', '\u001b[B', '2']);
  });
});
