import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { engineSockets } from '#actors/host/isolation/engine-sockets.ts';
import { granted } from '#actors/host/isolation/granted-mounts.ts';
import { failureOf } from '#test/support/failure.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

describe('what a workflow grants', () => {
  const folder = temporaryFolder('granted');
  const at = (...names: string[]) => join(folder.path, ...names);
  const [home, stateFolder, dockerHost] = [at('home'), at('home', '.muster'), at('engine', 'docker.sock')];
  const desktop = at('home', '.docker', 'run', 'docker.sock');
  before(() => {
    for (const path of [stateFolder, at('open'), dirname(dockerHost), dirname(desktop)])
      mkdirSync(path, { recursive: true });
    for (const path of [dockerHost, desktop]) writeFileSync(path, '');
    symlinkSync(stateFolder, at('open', 'to-state'));
    symlinkSync(home, at('open', 'to-home'));
    symlinkSync(dirname(dockerHost), at('open', 'to-engine'));
  });
  after(() => folder.remove());

  const mountsOf = (paths: readonly string[]) =>
    granted(
      { readable: [...paths] },
      { home, stateFolder, engines: engineSockets({ HOME: home, DOCKER_HOST: `unix://${dockerHost}` }) },
    );

  for (const [what, path, shows] of [
    ['the state folder', stateFolder, 'the state folder'],
    ['a link to the state folder', at('open', 'to-state'), 'the state folder'],
    ['a folder around the state folder by another name', at('open', 'to-home'), 'the state folder'],
    ['the socket that DOCKER_HOST names', dockerHost, 'the socket of a container engine'],
    ['its folder', dirname(dockerHost), 'the socket of a container engine'],
    ['a link to its folder', at('open', 'to-engine'), 'the socket of a container engine'],
    ['the folder of the engine in the home', at('home', '.docker'), 'the socket of a container engine'],
  ] as const) {
    it(`is refused if it is ${what}`, async () => {
      const failure = await failureOf(() => mountsOf([path]));
      expect(failure).to.deep.include({ reason: 'ISOLATION_UNSAFE' });
      expect(failure?.message).to.include(`grants ${path}, which shows ${shows}`);
    });
  }

  it('is shown if it is safe, from the home if it begins so, and left out if it is missing', () => {
    mkdirSync(at('home', 'tools'));
    expect(mountsOf([at('open'), '~/tools/', at('missing')])).to.deep.equal([
      { at: at('open'), from: at('open'), access: 'read' },
      { at: at('home', 'tools'), from: at('home', 'tools'), access: 'read' },
    ]);
  });
});
