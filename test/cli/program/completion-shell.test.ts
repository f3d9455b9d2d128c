import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { shellLine } from '#cli/client/run-in-terminal.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findExecutable } from '#world/tmux/executable.ts';
import { program, runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { agentRow, fleetService } from '../fleet.ts';

const run = promisify(execFile);

/**
 * How each shell is started without a person's own settings, and made to complete muster. Left to itself zsh expands
 * what is at the cursor before it completes, for any command: it is asked to complete only.
 */
const shells: Readonly<Record<string, { readonly argv: readonly string[]; readonly setup: string }>> = {
  bash: { argv: ['bash', '--norc', '--noprofile'], setup: 'PS1="ready> "; source ./muster.bash' },
  zsh: {
    argv: ['zsh', '-f'],
    setup: "PS1='ready> '; bindkey '^I' complete-word; autoload -Uz compinit; compinit -D -u; source ./muster.zsh",
  },
  fish: { argv: ['fish', '--no-config'], setup: 'function fish_prompt; echo -n "ready> "; end; source ./muster.fish' },
};

for (const [shell, { argv, setup }] of Object.entries(shells)) {
  describe(`completion in a real ${shell}`, () => {
    let folder: TemporaryFolder;
    let service: FakeService;
    const tmux = async (...words: string[]): Promise<string> =>
      (await run('tmux', ['-S', join(folder.path, 's'), '-f', '/dev/null', ...words])).stdout;
    const screen = () => tmux('capture-pane', '-p', '-t', 'm');
    const sees = (text: string): Promise<unknown> => moment(text, async () => (await screen()).includes(text));
    const type = (text: string, ...keys: string[]) =>
      tmux('send-keys', '-t', 'm', '-l', '--', text).then(() => press(...keys));
    const press = async (...keys: string[]) => (keys.length > 0 ? tmux('send-keys', '-t', 'm', ...keys) : '');

    before(function () {
      // Only bash is to be had everywhere. Whoever reads the outcome is to see what was not tried.
      if (findExecutable(shell) !== undefined) return;
      console.log(`    SKIPPED: there is no ${shell} on this machine; install it to try completion in it`);
      this.skip();
    });
    beforeEach(async () => {
      folder = temporaryFolder(`completion-${shell}`);
      service = await fleetService();
      service.on('agent.v1.AgentService/ListAgents', () => ({ agents: [agentRow({ name: 'fix-login' })] }));
      writeFileSync(join(folder.path, `muster.${shell}`), (await runInside(['completion', shell])).out);
      const muster = join(folder.path, 'muster');
      const ask = `${shellLine([process.execPath, program])} "$@"`;
      writeFileSync(muster, `#!/bin/sh\nprintf '%s\\n' "$@" >> asked\nexec ${ask}\n`);
      chmodSync(muster, 0o755);
      const variables = {
        PATH: `${folder.path}:${process.env['PATH']}`,
        HOME: folder.path,
        HISTFILE: '/dev/null',
        fish_history: '',
        // fish makes its own folder there.
        TMPDIR: folder.path,
      };
      const env = { ...variables, SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 't', NODE_DISABLE_COMPILE_CACHE: '1' };
      // tmux takes the PATH from whoever calls it, so the shell is given all of its variables by env.
      const shellWords = ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...argv];
      await tmux('new-session', '-d', '-s', 'm', '-x', '110', '-y', '45', '-c', folder.path, ...shellWords);
      await type(`${setup}; clear`, 'Enter');
      await moment('the prompt', async () => (await screen()).trim() === 'ready>');
    });
    afterEach(async () => {
      if (folder === undefined) return;
      await tmux('kill-server').catch(() => {});
      await service.close();
      folder.remove();
    });

    it('completes commands, flags, their values and names', async () => {
      await type('muster arch', 'Tab');
      await sees('ready> muster archive');
      await type('fix', 'Tab');
      await sees('ready> muster archive fix-login');
      await press('C-u');
      await type('muster new --rol', 'Tab');
      await sees('ready> muster new --role');
      await type('rev', 'Tab');
      await sees('ready> muster new --role reviewer');
      await press('C-u');
      await type('muster new x --role=orch', 'Tab');
      await sees('ready> muster new x --role=orchestrator');
    });

    it('completes operations, ids and enumerations', async () => {
      await type('muster rpc get-ag', 'Tab');
      await sees('ready> muster rpc get-agent');
      await type('--agent-i', 'Tab');
      await sees('ready> muster rpc get-agent --agent-id');
      await type('agt_', 'Tab');
      await sees('ready> muster rpc get-agent --agent-id agt_fix-login');
      await press('C-u');
      await type('muster rpc list-agents --view fu', 'Tab');
      await sees('ready> muster rpc list-agents --view full');
    });

    it('describes each in one line', async () => {
      await type('muster re', 'Tab', 'Tab');
      await sees('continue a failed launch or clean-up');
      const lines = (await screen()).split('\n');
      expect(lines.filter((line) => /^re\w+ +.*an/.test(line)).length).to.be.above(2);
    });

    it('runs nothing from the command line', async () => {
      for (const typed of ['$(touch planted)', '`touch planted`', '--role=$(touch planted)=', '"$(touch planted)']) {
        await type(`muster new ${typed}`, 'Tab', 'Tab', 'C-u');
        await type('muster arch', 'Tab');
        await sees('ready> muster archive');
        await press('C-u');
        await moment('the prompt', async () => (await screen()).trim().endsWith('ready>'));
        // zsh and fish do not ask about every such word.
        if (shell === 'bash') expect(readFileSync(join(folder.path, 'asked'), 'utf8').split('\n')).to.include(typed);
      }
      expect(existsSync(join(folder.path, 'planted'))).to.equal(false);
    });
  });
}
