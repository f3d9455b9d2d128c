import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SetupTrials } from '#actors/host/workflow/setup-trials.ts';
import type { HostTrial } from '#contract/wire/trial-calls.ts';
import { builtIn } from '#machines/harness/table.ts';
import { noPorts, noProfiles, noSecrets } from '#test/actors/no-profiles.ts';
import { failureOf } from '#test/support/failure.ts';
import { gitIn } from '#test/support/git-in.ts';
import { moment } from '#test/support/moment.ts';
import { noIsolation } from '#test/support/no-isolation.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { systemTimer } from '#world/concurrency/timer.ts';
import { ThrowawayWorktrees } from '#world/git/worktree/throwaway-worktrees.ts';
import { silent } from '../actor-fixture.ts';

describe('trials of setup scripts on a host', () => {
  let folder: TemporaryFolder;
  let repository: string;
  let worktrees: string;
  let notes: string;
  let trials: SetupTrials;
  let count = 0;
  const git = (...args: string[]): string => gitIn(repository, ...args);
  const open = (limits: { readonly timeoutMs?: number; readonly patienceMs?: number } = {}): SetupTrials =>
    new SetupTrials({
      profiles: noProfiles,
      redactor: noSecrets,
      ports: noPorts,
      environment: { PATH: process.env['PATH'] ?? '', ACME_URL: 'https://acme.example' },
      variables: [],
      harnesses: builtIn,
      isolation: noIsolation,
      worktrees: new ThrowawayWorktrees({ worktrees, notes }),
      clock: systemTimer,
      log: silent,
      ...limits,
    });
  const start = (command: string, more: object = {}): string => {
    count += 1;
    const trialId = `try_${count}`;
    const order = { trialId, name: 'web', command, cwd: repository, baseBranch: '', harness: 'shell' };
    trials.start({ ...order, copyFiles: ['.env'], environment: ['ACME_URL'], ...more });
    return trialId;
  };
  /** How a trial ended, with all that it wrote. */
  const ended = async (trialId: string): Promise<HostTrial> => {
    let output = '';
    for (let cursor = ''; ; ) {
      const trial = await trials.read(trialId, cursor);
      output += trial.output;
      cursor = trial.cursor;
      if (trial.state !== 'RUN_STATE_RUNNING') return { ...trial, output };
    }
  };
  const begun = (trialId: string): Promise<HostTrial> =>
    moment('the script to write', async () => {
      const trial = await trials.read(trialId, '');
      return trial.output === '' ? undefined : trial;
    });
  /** Nothing of a trial is left: no folder, branch, entry, reference or note. */
  const expectNothingLeft = (): void => {
    expect(readdirSync(worktrees)).to.deep.equal([]);
    expect(readdirSync(notes)).to.deep.equal([]);
    expect(git('for-each-ref', '--format=%(refname)')).to.equal('refs/heads/main');
    expect(git('worktree', 'list').split('\n')).to.have.length(1);
  };

  beforeEach(() => {
    folder = temporaryFolder('trials');
    [repository, worktrees, notes] = ['repository', 'worktrees', 'notes'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(worktrees);
    gitIn(folder.path, 'init', '-q', '-b', 'main', repository);
    writeFileSync(join(repository, 'file'), 'text\n');
    git('add', 'file');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'first');
    writeFileSync(join(repository, '.env'), 'KEY=1\n');
    trials = open();
  });
  afterEach(async () => {
    await trials.close();
    folder.remove();
  });

  it('run as in a launch, in a worktree that is removed afterwards with its branch and files', async () => {
    const script =
      'cat file .env; echo "$MUSTER_AGENT_NAME $ACME_URL [$SERVICE_TOKEN]"; git branch --show-current; touch made; ' +
      'git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m more; mkdir ro; touch ro/x; chmod 500 ro';
    const trialId = start(script);
    const end = await ended(trialId);
    expect(end).to.deep.include({ state: 'RUN_STATE_SUCCEEDED', reason: '' });
    expect(end.output).to.equal(`text\nKEY=1\nweb https://acme.example []\nmuster/${trialId}\n`);
    expect(end.directory).to.equal(join(worktrees, trialId));
    expectNothingLeft();
    expect(existsSync(join(repository, 'made'))).to.equal(false);
  });

  it('stream their output, each piece once, and report failures', async () => {
    const trialId = start('echo é one; until [ -e ../go ]; do sleep 0.05; done; echo two >&2; exit 3');
    const first = await begun(trialId);
    expect(first).to.deep.include({ state: 'RUN_STATE_RUNNING', output: 'é one\n', cursor: '7' });
    writeFileSync(join(worktrees, 'go'), '');
    const rest = await moment('the rest', async () => {
      const trial = await trials.read(trialId, first.cursor);
      return trial.state === 'RUN_STATE_RUNNING' ? undefined : trial;
    });
    expect(rest).to.deep.include({ state: 'RUN_STATE_FAILED', output: 'two\n', reason: 'ended with 3' });
  });

  it('end at their time limit and when stopped, and leave nothing', async () => {
    const stopped = start('echo on; sleep 600');
    await begun(stopped);
    trials.stop(stopped);
    expect((await ended(stopped)).state).to.equal('RUN_STATE_CALLED_OFF');
    await trials.close();
    trials = open({ timeoutMs: 1 });
    const late = await ended(start('sleep 600'));
    expect(late).to.deep.include({ state: 'RUN_STATE_FAILED', reason: 'took too long and was ended' });
    expectNothingLeft();
  });

  it('end without readers, and not before', async () => {
    trials = open({ patienceMs: 1_000 });
    const followed = start('sleep 600');
    const forgotten = start('sleep 600');
    expect((await trials.read(followed, '')).state, 'a reading of two seconds').to.equal('RUN_STATE_RUNNING');
    const left = { state: 'RUN_STATE_CALLED_OFF', reason: 'was stopped because nobody followed it for 1 s' };
    expect(await ended(forgotten)).to.deep.include(left);
    await moment('the other to be given up, too', async () => readdirSync(worktrees).length === 0);
    expect(await ended(followed)).to.deep.include(left);
    expectNothingLeft();
  });

  it('end when the host stops, and are cleaned up by the next host after a kill', async () => {
    await begun(start('echo on; sleep 600'));
    await trials.close();
    expectNothingLeft();
    // The remains of a killed host: the note, the worktree with its branch, and an orphaned script.
    const killed = new ThrowawayWorktrees({ worktrees, notes });
    const never = new Promise<never>(() => {});
    const made = Promise.withResolvers<void>();
    void killed.within({ id: 'try_killed', repository, signal: new AbortController().signal }, () => {
      made.resolve();
      return never;
    });
    await made.promise;
    expect(readFileSync(join(notes, 'try_killed.json'), 'utf8')).to.include('muster/try_killed');
    expect(await new ThrowawayWorktrees({ worktrees, notes }).sweep()).to.deep.equal([]);
    expectNothingLeft();
  });

  it('report why no worktree could be created, and leave other files alone', async () => {
    git('branch', 'muster/try_taken');
    const taken = start('true', { trialId: 'try_taken' });
    expect(taken).to.match(/^try_/);
    const end = await ended('try_taken');
    expect(end.state).to.equal('RUN_STATE_FAILED');
    expect(end.reason).to.include('muster/try_taken exists already');
    expect(git('branch', '--list', 'muster/try_taken')).to.include('try_taken');
    const base = await ended(start('true', { baseBranch: 'nowhere' }));
    expect(base.reason).to.include('nowhere');
  });

  it('are limited in number, and only the last ended ones are kept', async () => {
    const running = Array.from({ length: 4 }, () => start('sleep 600'));
    expect((await failureOf(async () => start('true'))).reason).to.equal('TRIAL_LIMIT_REACHED');
    for (const trialId of running) trials.stop(trialId);
    for (const trialId of running) await ended(trialId);
    expect((await failureOf(() => trials.read(running[0] ?? '', 'made up'))).reason).to.equal('INVALID_CURSOR');
    expect((await failureOf(() => trials.read('try_none', ''))).reason).to.equal('TRIAL_NOT_FOUND');
    expect((await failureOf(async () => trials.stop('try_none'))).reason).to.equal('TRIAL_NOT_FOUND');
  });
});
