import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Observation, paneObserver } from '#actors/host/reading/observation.ts';
import type { Reading } from '#contract/pane/reading.ts';
import { builtIn } from '#machines/harness/table.ts';
import { shell, shellPrompt } from '#machines/pane/harness/shell.ts';
import { read } from '#machines/pane/read.ts';
import { awaitsLine } from '#world/process/awaited-line.ts';
import type { Terminal } from '#world/terminal/terminal.ts';
import { captureOf } from './screen-corpus.ts';

const fields = ['cursor_x', 'cursor_y', 'pane_width', 'pane_height', 'pane_pid', 'pane_current_command'];

describe('a bash in a real tmux', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-shell-'));
    const work = join(folder, 'repo');
    mkdirSync(work);
    execFileSync('mkfifo', [join(work, 'gate')]);
    const bash = ['bash', '--norc', '--noprofile'];
    tmux('new-session', '-d', '-s', 'm', '-x', '80', '-y', '24', '-c', work, '-e', `PS1=${shellPrompt}`, ...bash);
    tmux('set-option', '-g', 'status', 'off');
  });

  afterEach(() => {
    tmux('kill-server');
    rmSync(folder, { recursive: true });
  });

  it('is at rest at its prompt, thinks while a command sleeps, and is at rest again after it', async () => {
    await becomes('AGENT_STATE_IDLE');
    type('cat gate; echo done', 'Enter');
    await becomes('AGENT_STATE_THINKING');
    writeFileSync(join(folder, 'repo', 'gate'), 'opened\n');
    const reading = await becomes('AGENT_STATE_IDLE');
    expect(reading.rule).to.equal('shell/prompt');
  });

  it('counts as unchanged at its prompt while a job in the background keeps painting elsewhere', async () => {
    await becomes('AGENT_STATE_IDLE');
    const paint = `printf '\\e7\\e[1;60H%s\\e8' $((n += 1))`;
    type(`while :; do ${paint}; sleep 0.02; done & sleep 0.1; seq 9`, 'Enter');
    const before = await observed((one) => one.reading.state === 'AGENT_STATE_IDLE');
    const after = await observed(({ fullDigest }) => fullDigest !== before.fullDigest);
    expect(after.reading.state).to.equal('AGENT_STATE_IDLE');
    expect(after.digest).to.equal(before.digest);
  });

  it('has a draft while something is typed, in the first row or a continued one', async () => {
    await becomes('AGENT_STATE_IDLE');
    type('for i in 1 2 3');
    expect((await becomes('AGENT_STATE_UNCERTAIN')).reason).to.equal('draft');
    type('', 'Enter');
    await until(() => screen().rows.some((row) => row.startsWith('>')));
    expect(now().reason).to.equal('draft');
    type('', 'C-c');
    await becomes('AGENT_STATE_IDLE');
  });

  it('thinks while a loop of bash itself runs', async () => {
    await becomes('AGENT_STATE_IDLE');
    type('while :; do :; done', 'Enter');
    await becomes('AGENT_STATE_THINKING');
    expect(screen().command).to.equal('bash');
    type('', 'C-c');
    await becomes('AGENT_STATE_IDLE');
  });

  it('waits if a command asks for a password or a yes', async () => {
    await becomes('AGENT_STATE_IDLE');
    type(`sh -c 'printf "Overwrite? [y/N] "; cat gate'`, 'Enter');
    expect((await becomes('AGENT_STATE_WAITING')).reason).to.equal('question');
  });

  it('waits where bash itself asks, and no longer once it is answered', async () => {
    await becomes('AGENT_STATE_IDLE');
    type(`read -p 'Continue? [y/N] ' answer`, 'Enter');
    const reading = await becomes('AGENT_STATE_WAITING');
    expect([reading.rule, reading.reason]).to.deep.equal(['shell/read', 'question']);
    expect(screen().command).to.equal('bash');
    type('y', 'Enter');
    await becomes('AGENT_STATE_IDLE');
    type(`read -sp 'Password: ' answer`, 'Enter');
    await becomes('AGENT_STATE_WAITING');
    type('', 'C-c');
    await becomes('AGENT_STATE_IDLE');
  });

  it('waits where a program asks in its own words, or takes keys as long as it runs', async () => {
    await becomes('AGENT_STATE_IDLE');
    writeFileSync(join(folder, 'repo', 'notes'), 'one\n'.repeat(100));
    for (const [typed, reason, answered] of [
      ['rm -i notes', 'question', 'n'],
      [`read -p 'Name: ' name`, 'question', 'Ada'],
      ['less notes', 'input', 'q'],
    ] as const) {
      type(typed, 'Enter');
      expect((await becomes('AGENT_STATE_WAITING')).reason, typed).to.equal(reason);
      type(answered, 'Enter');
      await becomes('AGENT_STATE_IDLE');
    }
  });

  it('waits where a program takes lines and asks nothing, and where one asks on its terminal', async () => {
    await becomes('AGENT_STATE_IDLE');
    for (const [typed, reason, ended] of [
      ['cat', 'input', 'C-d'],
      ['read', 'input', 'Enter'],
      ['bc', 'input', 'C-d'],
      ['ssh-keygen -q -t ed25519 -f key', 'question', 'C-c'],
    ] as const) {
      if (!canRun(typed)) continue;
      type(typed, 'Enter');
      expect((await becomes('AGENT_STATE_WAITING')).reason, typed).to.equal(reason);
      type('', ended);
      await becomes('AGENT_STATE_IDLE');
    }
  });

  it('does not wait where such a question is only typed, or passed', async () => {
    await becomes('AGENT_STATE_IDLE');
    for (const typed of [
      `read -p 'Continue? [y/N] `,
      `: ${'x'.repeat(90)} 'Continue? [y/N] `,
      `: '\n Continue? [y/N] `,
    ]) {
      const [first = '', ...more] = typed.split('\n');
      type(first);
      for (const line of more) {
        type('', 'Enter');
        await until(() => screen().rows.some((row) => row.startsWith('>')));
        type(line);
      }
      await until(() => tmux('capture-pane', '-p', '-J', '-t', 'm').includes('[y/N]'));
      expect(now().state, typed).to.equal('AGENT_STATE_UNCERTAIN');
      type('', 'C-c');
      await becomes('AGENT_STATE_IDLE');
      tmux('send-keys', '-t', 'm', '-R');
      type('', 'C-l');
      await becomes('AGENT_STATE_IDLE');
    }
    type(`printf 'Continue? [y/N] '`, 'Enter');
    await becomes('AGENT_STATE_IDLE');
    for (const printed of ['Continue? [y/N] \\n', 'Now the password']) {
      type(`printf '${printed}'; while :; do :; done`, 'Enter');
      await becomes('AGENT_STATE_THINKING');
      type('', 'C-c');
      await becomes('AGENT_STATE_IDLE');
    }
  });

  /** bc and ssh-keygen are not everywhere; what waits for a line is known on Linux alone. */
  function canRun(typed: string): boolean {
    const [program = ''] = typed.split(' ');
    return process.platform === 'linux' && spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  }

  function tmux(...args: string[]): string {
    return execFileSync('tmux', ['-S', join(folder, 's'), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, TERM: 'xterm-256color' },
    });
  }

  function type(text: string, ...keys: string[]): void {
    if (text !== '') tmux('send-keys', '-t', 'm', '-l', text);
    if (keys.length > 0) tmux('send-keys', '-t', 'm', ...keys);
  }

  function screen(): ReturnType<typeof captureOf> {
    const rows = tmux('capture-pane', '-p', '-e', '-t', 'm').split('\n');
    const format = fields.map((field) => `#{${field}}`).join(' ');
    const [x, y, width, height, pid, command = ''] = tmux('display-message', '-p', '-t', 'm', format).trim().split(' ');
    const facts = { size: `${width}x${height}`, cursor: `${x},${y}`, command };
    return { ...captureOf(rows, facts), awaitsLine: awaitsLine(Number(pid)) };
  }

  function now(): Reading {
    return read(shell, screen());
  }

  async function becomes(state: Reading['state']): Promise<Reading> {
    await until(() => now().state === state);
    return now();
  }

  /** Observes the pane as a host does until it looks like this. */
  async function observed(wanted: (observation: Observation) => boolean): Promise<Observation> {
    const terminal = {
      capture: async () => screen(),
      awaitsLine: async () => screen().awaitsLine,
    } as unknown as Terminal;
    const observe = paneObserver(builtIn);
    for (const deadline = performance.now() + 8_000; performance.now() < deadline; await pause(20)) {
      const observation = await observe(terminal, '%1', { harness: 'shell' });
      if (observation && wanted(observation)) return observation;
    }
    throw new Error(`not observed in time; the screen reads ${JSON.stringify(now())}`);
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = performance.now() + 8_000;
    while (!condition()) {
      if (performance.now() > deadline) throw new Error(`not seen in time; the screen reads ${JSON.stringify(now())}`);
      await pause(20);
    }
  }
}).timeout(60_000);
