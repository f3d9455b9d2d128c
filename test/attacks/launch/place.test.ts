import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type OpenWindowOptions, openWindow } from '#actors/host/effects/open-window.ts';
import { provisionWorktree } from '#actors/host/effects/provision-worktree.ts';
import type { AgentRecord, Launch } from '#contract/wire/agent-record.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { builtIn } from '#machines/harness/table.ts';
import { noPorts, noProfiles } from '#test/actors/no-profiles.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { failureOf } from '#test/support/failure.ts';
import { noIsolation } from '#test/support/no-isolation.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('an agent that replaces a checked directory', () => {
  let folder: TemporaryFolder;
  let worktrees: string;
  const opened: string[] = [];
  beforeEach(() => {
    folder = temporaryFolder('launch-place');
    worktrees = join(folder.path, 'worktrees');
    for (const name of ['worktrees/own/sub', 'secret']) mkdirSync(join(folder.path, name), { recursive: true });
    opened.length = 0;
  });
  afterEach(() => folder.remove());

  const effect = { key: 'k', kind: 'k', params: {} };
  const recordOf = (launch: Partial<Launch>) =>
    ({
      id: 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB',
      family: 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB',
      epoch: 1,
      launch: { harness: 'shell', flags: '', copyFiles: [], sessionId: 's', ...launch },
      snapshot: begin(agentDefinition, { name: 'a', provision: true, scripts: [] }).snapshot,
    }) as unknown as AgentRecord;
  const open = (launch: Partial<Launch>) => {
    const terminal = {
      panes: async () => [],
      open: async ({ cwd }: { cwd: string }) => {
        opened.push(cwd);
        return { paneId: '%1' };
      },
    };
    const options = {
      terminals: { of: async () => terminal },
      harnesses: builtIn,
      environment: { PATH: process.env['PATH'] ?? '' },
      variables: [],
      programs: () => process.env['PATH'] ?? '',
      worktrees,
      settings: folder.path,
      baseUrl: 'http://127.0.0.1:1',
      registry: { token: async () => 'mst_x' },
      isolation: noIsolation,
      profiles: noProfiles,
      ports: noPorts,
      handovers: { isPending: () => false },
      clock: { monotonic: () => 0 },
    } as unknown as OpenWindowOptions;
    return openWindow(options).perform(performanceOf(recordOf(launch), effect));
  };

  it('with a link gets no window there; a person’s launch follows the person’s links', async () => {
    const cwd = join(worktrees, 'own/sub');
    await open({ cwd, launchedByAgent: true });
    renameSync(cwd, join(folder.path, 'aside'));
    symlinkSync(join(folder.path, 'secret'), cwd);
    const failure = await failureOf(() => open({ cwd, launchedByAgent: true }));
    expect(failure.message).to.contain(cwd).and.contain('leads elsewhere');
    expect(opened).to.deep.equal([cwd]);
    await open({ cwd });
  });

  it('with its own CLI does not run that CLI, which the refusal names', async () => {
    const cwd = join(worktrees, 'own');
    const tools = join(cwd, 'node_modules/.bin');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'amp'), '#!/bin/sh\n', { mode: 0o755 });
    const before = process.env['PATH'];
    process.env['PATH'] = `${before}:${tools}`;
    try {
      const failure = await failureOf(() => open({ cwd, harness: 'amp' }));
      expect(failure.reason).to.equal('COMMAND_NOT_FOUND');
      expect(failure.message).to.include(`amp is only in the agent's own directory (${join(tools, 'amp')})`);
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('with another repository gets no worktree of it, and runs none of its scripts', async () => {
    const cwd = join(folder.path, 'secret');
    execFileSync('git', ['init', '-q', cwd]);
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', ['-C', cwd, ...author, 'commit', '-q', '--allow-empty', '-m', 'x']);
    const provision = (repository: string) =>
      provisionWorktree(worktrees).perform(performanceOf(recordOf({ cwd, repository }), effect));
    const failure = await failureOf(() => provision(join(folder.path, 'repository/.git')));
    expect(failure.message).to.contain('another repository');
    expect(await provision(join(cwd, '.git'))).to.have.property('type', 'WORKTREE_READY');
  });
});
