import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '#test/cli/command-line.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('muster setup', () => {
  let place: TemporaryFolder;
  beforeEach(function () {
    if (process.platform !== 'linux') this.skip();
    place = temporaryFolder('setup-command');
    tool('sudo', '[ "$1" = -n ] && shift; exec "$@"');
    tool('git', 'echo git version 2.40.1');
    tool('nats-server', 'echo nats-server: v2.9.10');
    tool('tmux', 'echo tmux 3.1c');
  });
  afterEach(() => place?.remove());

  const tool = (name: string, script: string): void =>
    writeFileSync(join(place.path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const run = () => {
    const env = { PATH: `${place.path}:/usr/bin:/bin`, MUSTER_HOME: join(place.path, 'home') };
    return runProgram(['setup'], { env });
  };

  it('installs a program that is too old, and nothing when all are there', async () => {
    const calls = join(place.path, 'calls');
    tool('apt-get', `echo "$*" >> ${calls}\nprintf '#!/bin/sh\\necho tmux 3.4\\n' > ${join(place.path, 'tmux')}`);
    const { code, out, err } = await run();
    expect([code, err]).to.deep.equal([0, '']);
    expect(out).to.equal(
      'Installing tmux …\nEvery program that muster needs is installed. Start it with `muster start`.\n',
    );
    expect((await run()).out).not.to.include('Installing');
    expect(readFileSync(calls, 'utf8')).to.equal('-qq -y install --no-install-recommends tmux\n');
  });

  it('says how to install what it could not', async () => {
    tool('apt-get', 'exit 100');
    const { code, err } = await run();
    expect(code).to.equal(9);
    expect(err).to.match(/^muster needs tmux 3\.3 or newer .* is 3\.1c\. Install it, for instance with `[^`]+`\.\n$/);
  });
});
