import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { notificationSender } from '#actors/registry/notify/notification-sender.ts';
import { moment } from '#test/support/moment.ts';
import { runScript, type ScriptRun } from '#world/process/script.ts';

const secret = 'hunter2-of-a-command';

/** The arguments of every process of this machine, as any of its users can read them. */
function argumentsOfAll(): string {
  const of = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(of)
    .join('\n');
}

/** Another user of the machine, who looks at what runs. */
describe('the process list during an attack', () => {
  let dir: string;
  before(function () {
    if (!existsSync('/proc/self/cmdline')) this.skip();
  });
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'muster-test-list-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const env = { PATH: process.env['PATH'] ?? '' };
  const script = (command: string, given: Partial<ScriptRun> = {}) => {
    const said: string[] = [];
    const end = runScript({ command, cwd: dir, env, timeoutMs: 30_000, onOutput: (text) => said.push(text), ...given });
    return end.then(({ exitCode }) => ({ exitCode, said: said.join('') }));
  };
  /** A command that holds the secret, and waits until it was inspected. */
  const held = () => `: ${secret}; touch ${dir}/runs; while [ ! -e ${dir}/seen ]; do sleep 0.02; done`;
  const look = async () => {
    await moment('it runs', () => existsSync(join(dir, 'runs')));
    const all = argumentsOfAll();
    writeFileSync(join(dir, 'seen'), '');
    return all;
  };

  it('shows nothing of a running workflow script', async () => {
    const running = script(held());
    expect(await look())
      .to.contain('/bin/sh')
      .and.not.to.contain(secret);
    expect((await running).exitCode).to.equal(0);
  });

  it('shows nothing of a running notification command', async () => {
    const body = JSON.stringify({ event: 'agent.waits', text: 'waits', agent: { id: 'agt_1' } });
    const running = notificationSender({ ...env, HOME: dir })({ through: 'command', target: held(), body });
    expect(await look()).not.to.contain(secret);
    expect(await running).to.equal('');
  });

  it('hides scripts without changing their directory, input and exit status', async () => {
    const seen = await script('echo "$0 $# [$(cat)]"; ls /proc/self/fd\n');
    const [first, ...descriptors] = seen.said.trim().split('\n');
    expect(first).to.equal('/bin/sh 0 []');
    // The last one is that of the folder that is listed.
    expect(descriptors.filter((descriptor) => descriptor.length === 1)).to.deep.equal(['0', '1', '2', '3']);
    const ends: readonly [command: string, exitCode: number | undefined][] = [
      ['', 0],
      ['# nothing but a comment', 0],
      ['exit 3', 3],
      ['set -e; false; echo on', 1],
      ['set -e\nif false; then :; fi\nfalse || true\n(exit 4)\necho on', 4],
      ['no-such-program', 127],
      ['if', 2],
      ['trap "exit 9" EXIT; false', 9],
      ['f() { return 5; }; f', 5],
      ['exec sh -c "exit 6"', 6],
      ['kill -KILL $$', undefined],
      ['cat <<END >&2\n"quoted" $(echo it) \'\\\\\'\nEND\nexit 7', 7],
    ];
    for (const [command, exitCode] of ends) {
      const { exitCode: came, said } = await script(command);
      expect(came, command).to.equal(exitCode);
      expect(said, command).not.to.match(/^on$/m);
    }
    const long = `${'# a line of a long script\n'.repeat(20_000)}exit 8`;
    expect((await script(long)).exitCode).to.equal(8);
  });
});
