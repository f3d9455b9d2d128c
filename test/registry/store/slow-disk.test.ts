import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { SlowSync } from '#test/support/slow-sync.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('a registry on a hanging disk', () => {
  let folder: TemporaryFolder;
  let disk: SlowSync;
  let registry: ChildProcess;
  let said = '';

  beforeEach(async function () {
    folder = temporaryFolder('slow-disk');
    const made = SlowSync.in(folder.path);
    if (made === undefined) this.skip();
    disk = made;
    said = '';
    const script = new URL('./slow-disk-registry.ts', import.meta.url).pathname;
    const env = { ...process.env, ...disk.environment };
    registry = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    registry.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await heard('ready');
  });
  afterEach(async () => {
    disk?.release();
    if (registry !== undefined) {
      registry.stdin?.end();
      await once(registry, 'exit');
    }
    folder.remove();
  });

  const ask = (deed: string) => registry.stdin?.write(`${deed}\n`);
  const heard = (line: string) => moment(line, () => said.split('\n').includes(line), 50_000);

  it('answers lists and beats meanwhile, and acknowledges a write only once it is on the disk', async () => {
    disk.hold();
    ask('write');
    await moment('the write is synced', () => disk.isMet);
    for (const deed of ['list', 'beat']) ask(deed);
    await heard('list: done');
    await heard('beat: done');
    expect(said).not.to.include('write');
    disk.release();
    await heard('write: done');
  });
});
