import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { AgentLimits } from '#actors/host/isolation/agent-limits.ts';
import { AgentNetworks } from '#actors/host/isolation/agent-networks.ts';
import { Isolation } from '#actors/host/isolation/isolation.ts';
import type { Grants } from '#contract/host/isolation.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { placeIn } from '#machines/harness/isolated/needs.ts';
import { builtIn } from '#machines/harness/table.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { Cgroups } from '#world/isolation/cgroups.ts';
import { AgentLogins } from '#world/isolation/login/agent-logins.ts';
import { findProgram } from '#world/program/find-program.mjs';
import { silent } from '../actor-fixture.ts';

const run = promisify(execFile);
const path = '/usr/bin:/bin:/opt';
const busPort = 4222;
const clis = builtIn.all().flatMap((harness) => (harness.isolated ? [{ ...harness, isolated: harness.isolated }] : []));
type IsolatedCli = (typeof clis)[number];

/** Stands in for a CLI: it uses the files that its harness names as the CLI does, and asks for hosts. */
const standIn = `for file in $SHARED; do cat "$file"; echo '{"token":"renewed"}' > "$file.new" && mv "$file.new" "$file"; done
for file in $COPIED; do cat "$file"; echo own > "$file.new" && mv "$file.new" "$file"; done
for file in $READABLE; do cat "$file"/* 2>/dev/null || cat "$file"; (echo own > "$file") 2>/dev/null && echo "wrote $file"; done
for host in $HOSTS; do
  curl -sS -m 20 "https://$host/" 2>&1 | grep -q 403 && echo "refused $host"
done
ls -d "$HOME/.ssh" 2>/dev/null; bash -lc 'echo "$PATH"'`;

(findProgram('bwrap') ? describe : describe.skip)('a stand-in for an isolated CLI', () => {
  let folder: TemporaryFolder;
  let networks: AgentNetworks;
  let logins: AgentLogins;
  let isolation: Isolation;
  const at = (...parts: string[]) => join(folder.path, ...parts);

  before(() => {
    folder = temporaryFolder('clis');
    for (const name of ['state/sandboxes', 'state/worktrees', 'state/settings', 'work', 'run', 'home/.ssh', 'other']) {
      mkdirSync(at(name), { recursive: true });
    }
    const environment = { HOME: at('home'), PATH: path };
    networks = new AgentNetworks({
      folder: async () => at('run'),
      baseUrl: 'http://127.0.0.1:7433',
      environment,
      onRefused: () => {},
    });
    logins = new AgentLogins({ log: silent });
    const cgroups = new Cgroups(at('cgroups.json'), `muster-test-${process.pid}`);
    isolation = new Isolation({
      folders: {
        stateFolder: at('state'),
        worktrees: at('state/worktrees'),
        sandboxes: at('state/sandboxes'),
        settings: at('state/settings'),
      },
      networks,
      limits: new AgentLimits({ cgroups, sandboxes: at('state/sandboxes'), log: silent }),
      logins,
      harnesses: builtIn,
      programs: () => process.env['PATH'] ?? '',
      env: environment,
      log: silent,
      busPort,
    });
  });
  after(async () => {
    for (const { name } of clis) await isolation.remove({ id: name });
    await networks.stop();
    logins.stop();
    folder.remove();
  });

  /** Where the person has a CLI's files. */
  function filesOf({ isolated }: IsolatedCli, env: Readonly<Record<string, string>>) {
    const placed = (paths: readonly string[] = []) => paths.map((one) => placeIn(isolated, one, at('home'), env));
    return { shared: placed(isolated.shared), copied: placed(isolated.copied), readable: placed(isolated.readable) };
  }

  function write(file: string, text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  /** A file of the person's, or one in a folder: the name of a folder has no ending. */
  const fileAt = (path: string) => (/.\.[a-z]+$/.test(basename(path)) ? path : join(path, 'one'));

  async function printed(
    id: string,
    harness: Harness,
    env: Readonly<Record<string, string>>,
    grants: Grants = {},
  ): Promise<string> {
    const launch = { harness: harness.name, cwd: at('work'), isolation: 'sandbox', grants } as const;
    const program = { cwd: at('work'), env, programs: [], isBeside: false };
    const around = await isolation.around({ id, family: id, worktree: undefined, launch }, program);
    const [file = '', ...args] = around(['/bin/sh', '-c', standIn]);
    return (await run(file, args, { cwd: at('work'), env: { ...env } })).stdout;
  }

  it('is refused if it would reach the bus by a port that is granted, or as the server of its model', async () => {
    const [cli] = clis;
    if (cli === undefined) throw new Error('no CLI can be isolated');
    const env = { HOME: at('home'), PATH: path };
    const started = [
      printed(cli.name, cli, env, { loopbackPorts: [5432, busPort] }),
      printed(cli.name, cli, { ...env, OPENAI_BASE_URL: `http://127.0.0.1:${busPort}/v1` }),
    ];
    for (const result of await Promise.allSettled(started))
      expect(result).to.have.nested.property('reason.reason', 'ISOLATION_UNSAFE');
  });

  for (const cli of clis) {
    it(`${cli.name} reads and renews its login, rewrites its settings alone, and reaches its models`, async () => {
      const { folder: own, hosts } = cli.isolated;
      const env = { HOME: at('home'), PATH: path, ...(own && { [own.variable]: at('other', cli.name) }) };
      const { shared, copied, readable } = filesOf(cli, env);
      for (const file of shared) write(file, '{"token":"first"}\n');
      for (const file of [...copied, ...readable.map(fileAt)]) write(file, 'of the person\n');
      const told = await printed(cli.name, cli, {
        ...env,
        SHARED: shared.join(' '),
        COPIED: copied.join(' '),
        READABLE: readable.join(' '),
        HOSTS: [...hosts.map((host) => host.replace('*.', 'any.')), 'elsewhere.example'].join(' '),
      });
      expect(told.trimEnd().split('\n')).to.deep.equal([
        ...shared.map(() => '{"token":"first"}'),
        ...[...copied, ...readable].map(() => 'of the person'),
        'refused elsewhere.example',
        path,
      ]);
      const renewed = () => shared.every((file) => readFileSync(file, 'utf8').includes('renewed'));
      await moment('the login of the person to be renewed', renewed);
      for (const file of copied) expect(readFileSync(file, 'utf8')).to.equal('of the person\n');
      expect(readdirSync(at('work'))).to.deep.equal([]);
    });
  }
});
