import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Performance } from '#actors/host/agent/performer.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { ScriptTools } from '#actors/host/effects/logged-script.ts';
import { runOnIdle, runOnWaiting, runSetup, runTeardown } from '#actors/host/effects/run-scripts.ts';
import { stopTurn } from '#actors/host/effects/stop-turn.ts';
import type { InputDriver } from '#actors/host/typing/input-driver.ts';
import type { Failure } from '#contract/failure.ts';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { outputKept } from '#contract/run-log.ts';
import type { WorkflowScripts } from '#contract/workflow.ts';
import { builtIn } from '#machines/harness/table.ts';
import { noPorts, noProfiles, noSecrets } from '#test/actors/no-profiles.ts';
import { agentContext } from '#test/support/agent-context.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { noIsolation } from '#test/support/no-isolation.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { silent } from '../actor-fixture.ts';

type Note = Parameters<RegistryClient['run']>[0];

describe('scripts that a host runs for an agent', () => {
  let folder: TemporaryFolder;
  let notes: Note[];
  /** What the registry refuses the next token, the beginning of the next run or its end with. */
  let refusals: Partial<Record<'token' | 'begin' | 'end', Failure[]>>;
  beforeEach(() => {
    folder = temporaryFolder('scripts');
    [notes, refusals] = [[], {}];
    monotonic = systemTimer.monotonic;
  });
  afterEach(() => folder.remove());

  // The log is updated as fast as possible, so that no test waits for it.
  let monotonic: () => number;
  const clock = {
    now: systemTimer.now,
    monotonic: () => monotonic(),
    sleep: (_: number, signal?: AbortSignal) => systemTimer.sleep(1, signal),
  };
  const refuse = (what: keyof typeof refusals): void => {
    const refusal = refusals[what]?.shift();
    if (refusal !== undefined) throw refusal;
  };
  const tools = (): ScriptTools => ({
    registry: {
      async token() {
        refuse('token');
        return 'mst_own';
      },
      async run(note) {
        if (note.end !== undefined) refuse('end');
        else if (note.output === undefined) refuse('begin');
        notes.push(note);
      },
    },
    isolation: noIsolation,
    environment: { PATH: process.env['PATH'] ?? '' },
    variables: [],
    harnesses: builtIn,
    profiles: noProfiles,
    redactor: noSecrets,
    ports: noPorts,
    baseUrl: 'http://127.0.0.1:7433',
    worktrees: folder.path,
    clock,
    log: silent,
  });
  const effect = { key: 'agt_a/3/0', kind: 'runOnIdle', params: {} };
  const performance = (scripts: WorkflowScripts, effects = [effect]): Performance => {
    const context = agentContext({ state: 'AGENT_STATE_IDLE', worktree: worktreeAt(folder.path) });
    const record = { id: 'agt_a', epoch: 1, launch: { scripts, cwd: folder.path }, snapshot: { context }, effects };
    return { record, effect, signal: new AbortController().signal } as unknown as Performance;
  };
  const worktreeAt = (path: string) => ({ repository: path, path, branch: 'b', baseSha: '', copied: [] });
  const ends = () => notes.filter(({ end }) => end !== undefined);

  it('report their start, output and end as one run', async () => {
    const go = join(folder.path, 'go');
    const script = `echo "$MUSTER_AGENT_NAME $MUSTER_AGENT_STATE $SERVICE_AGENT_ID $SERVICE_TOKEN"; until [ -e ${go} ]; do sleep 0.05; done; echo over >&2; exit 3`;
    const running = runOnIdle(tools()).perform(performance({ onIdle: script }));
    await moment('what it wrote so far', () => notes.some(({ output, end }) => output && !end));
    expect(notes[0]).to.deep.equal({ agentId: 'agt_a', epoch: 1, effect: effect.key, script: 'RUN_SCRIPT_ON_IDLE' });
    expect(notes[1]).to.deep.include({
      effect: effect.key,
      output: { output: 'Ada AGENT_STATE_IDLE agt_a mst_own\n', cut: false },
    });
    writeFileSync(go, '');
    expect(await running).to.equal(undefined);
    expect(ends()).to.have.length(1);
    expect(ends()[0]).to.deep.include({ effect: effect.key, end: { failed: true, reason: 'ended with 3' } });
    expect(ends()[0]?.output?.output).to.match(/\nover\n$/);
  });

  it('do not start on a host that was suspended since its request, which then repeats it', async () => {
    let passed = 0;
    monotonic = () => systemTimer.monotonic() + passed;
    const own = tools();
    const run = async (note: Note): Promise<void> => {
      await own.registry.run(note);
      passed += 20_000;
    };
    const slept = { ...own.registry, run };
    const script = { setup: `echo ran >> ${join(folder.path, 'ran')}` };
    const { code, message } = await failureOf(
      () => runSetup({ ...own, registry: slept }).perform(performance(script)) as Promise<unknown>,
    );
    expect(code).to.equal('unavailable');
    expect(message).to.include('Nothing was started');
    expect(existsSync(join(folder.path, 'ran'))).to.equal(false);
    expect(await runSetup(own).perform(performance(script))).to.deep.equal({ type: 'SETUP_DONE' });
    expect(readFileSync(join(folder.path, 'ran'), 'utf8')).to.equal('ran\n');
  });

  it('run once, even if the registry is down when they end', async () => {
    refusals = { end: Array.from({ length: 3 }, () => refusalWith('unavailable', 'the registry is away')) };
    await runOnIdle(tools()).perform(performance({ onIdle: `echo ran >> ${join(folder.path, 'ran')}; cat ran` }));
    expect(ends()).to.have.length(1);
    expect(ends()[0]?.output?.output).to.equal('ran\n');
  });

  for (const code of Object.keys(failureCodes) as FailureCode[]) {
    it(`run once and keep their result if the registry refuses it with ${code}`, async () => {
      refusals = { end: [refusalWith(code, 'no')] };
      const performed = runSetup(tools()).perform(performance({ setup: `echo ran >> ${join(folder.path, 'ran')}` }));
      expect(await performed).to.deep.equal({ type: 'SETUP_DONE' });
      expect(readFileSync(join(folder.path, 'ran'), 'utf8')).to.equal('ran\n');
    });

    for (const call of ['token', 'begin'] as const) {
      it(`do not run if the registry refuses ${call} with ${code}, and report that`, async () => {
        const refusal = refusalWith(code, 'no');
        refusals = { [call]: [refusal] };
        const setup = () =>
          runSetup(tools()).perform(performance({ setup: `echo ran >> ${join(folder.path, 'ran')}` }));
        expect(await failureOf(setup)).to.equal(refusal);
        expect([existsSync(join(folder.path, 'ran')), notes]).to.deep.equal([false, []]);
        expect(await setup()).to.deep.equal({ type: 'SETUP_DONE' });
      });
    }
  }

  it('keep the end of their output, at most 1 MiB', async () => {
    await runOnIdle(tools()).perform(performance({ onIdle: 'head -c 3000000 /dev/zero | tr "\\0" x; echo end' }));
    const { output = '', cut } = ends()[0]?.output ?? {};
    expect(Buffer.byteLength(output)).to.equal(outputKept);
    expect({ cut, isEnd: output.endsWith('xxend\n') }).to.deep.equal({ cut: true, isEnd: true });
  });

  it('are dropped in favour of a later run of the same kind', async () => {
    const later = { ...effect, key: 'agt_a/5/0' };
    await runOnIdle(tools()).perform(performance({ onIdle: 'echo ran' }, [effect, later]));
    expect(notes).to.deep.equal([]);
  });

  it('do not run if the directory of an agent’s own launch became a link', async () => {
    const [own, elsewhere] = [join(folder.path, 'own'), join(folder.path, 'elsewhere')];
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, own);
    const scripts = Object.fromEntries(
      ['setup', 'teardown', 'onIdle', 'onWaiting'].map((name) => [name, 'echo ran >> ran']),
    );
    const swapped = (): Performance => {
      const given = performance(scripts);
      const snapshot = { context: agentContext({ state: 'AGENT_STATE_IDLE', worktree: worktreeAt(own) }) };
      const launch = { ...given.record.launch, launchedByAgent: true };
      return { ...given, record: { ...given.record, launch, snapshot } } as unknown as Performance;
    };
    for (const run of [runSetup, runTeardown]) {
      const { message } = await failureOf(() => run(tools()).perform(swapped()));
      expect(message).to.include(`${own} leads elsewhere`);
    }
    for (const run of [runOnIdle, runOnWaiting]) await run(tools()).perform(swapped());
    expect(ends().map(({ end }) => end?.failed)).to.deep.equal([true, true, true, true]);
    expect(existsSync(join(elsewhere, 'ran'))).to.equal(false);
  });

  it('fail as a run if they cannot be started, and fail the launch if they are its setup', async () => {
    folder.remove();
    await runOnIdle(tools()).perform(performance({ onIdle: 'echo ran' }));
    expect(ends()[0]?.end).to.deep.include({ failed: true });
    expect(ends()[0]?.end?.reason).to.include('could not be started');
    folder = temporaryFolder('scripts');
    const { message } = await failureOf(() => runSetup(tools()).perform(performance({ setup: 'echo why; false' })));
    expect(message).to.equal('the setup script ended with 1; its last output:\nwhy');
  });
});

describe('the end of a held agent’s turn', () => {
  const endedBy = (failure: Failure | undefined) =>
    stopTurn({
      async stopTurn() {
        if (failure) throw failure;
      },
    } as unknown as InputDriver).perform({ record: { id: 'agt_a' } } as unknown as Performance);

  it('reports nothing on success or without a turn', async () => {
    expect(await endedBy(undefined)).to.equal(undefined);
    expect(await endedBy(refusalWith('failed_precondition', 'it is at no turn'))).to.equal(undefined);
  });

  it('reports a turn that continues', async () => {
    const failure = refusalWith('aborted', 'it goes on with its turn');
    expect(await endedBy(failure)).to.deep.equal({ type: 'UNSTOPPED', reason: 'it goes on with its turn' });
  });
});
