import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { engineSockets } from '#actors/host/isolation/engine-sockets.ts';
import { sandboxSpec } from '#actors/host/isolation/sandbox-spec.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { checkUnlinked } from '#world/isolation/mount.ts';

describe('what an agent in a sandbox sees', () => {
  const folder = temporaryFolder('sandbox-spec');
  after(() => folder.remove());

  it('is no socket of an engine, also of one in a virtual machine with a name of its own', () => {
    const home = join(folder.path, 'engines');
    const sockets = [
      '.docker/run/docker.sock',
      '.colima/work/docker.sock',
      '.config/colima/work/docker.sock',
      '.lima/rootless/sock/docker.sock',
      '.local/share/containers/podman/machine/podman.sock',
      '.local/share/containers/podman/machine/qemu/podman.sock',
    ].map((path) => join(home, path));
    for (const path of sockets) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    expect(engineSockets({ HOME: home })).to.include.members(sockets);
  });

  it('is nothing of the state folder, also where a link in the home leads to it', async () => {
    const at = (name: string) => join(folder.path, name);
    const [home, real, cwd] = [at('home'), at('real'), at('work')];
    for (const path of [home, real, cwd]) mkdirSync(path);
    writeFileSync(join(real, 'operator.token'), 'secret');
    const stateFolder = join(home, '.muster');
    symlinkSync(real, stateFolder);
    const folders = {
      stateFolder,
      worktrees: join(stateFolder, 'worktrees'),
      sandboxes: join(stateFolder, 'sandboxes'),
      settings: join(stateFolder, 'settings'),
    };
    const launch = { isolation: 'sandbox', harness: 'shell', cwd } as const;
    const { mounts } = await sandboxSpec(
      { id: 'agt_a', family: 'agt_a', worktree: undefined, launch },
      { cwd, env: { HOME: home }, programs: [], needs: undefined, isBeside: false },
      folders,
      { network: undefined, shown: () => [], engines: [] },
    );
    // What the machine hides beside that, such as muster’s own repository, is left out.
    const hidden = mounts.flatMap(({ access, at }) => (access === 'empty' && at.startsWith(folder.path) ? [at] : []));
    expect(hidden).to.deep.equal([stateFolder, real]);
    checkUnlinked(mounts);
  });
});
