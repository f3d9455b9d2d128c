import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { call, type HttpQuestion, listAgents } from '#test/gateway/http-call.ts';
import { environmentOf, listProcesses } from '#world/process/process-tree.ts';
import { moment } from '../../support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

describe('npm start', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('npm-start');
  });
  afterEach(async () => {
    for (const pid of await carriers()) process.kill(pid, 'SIGKILL');
    place.remove();
  });

  /** The processes that carry the state folder. */
  async function carriers(): Promise<number[]> {
    const found = await Promise.all(
      (await listProcesses()).map(async ({ pid }) => {
        const carries = (await environmentOf(pid)).includes(`MUSTER_HOME=${place.path}`);
        return carries && pid !== process.pid ? pid : undefined;
      }),
    );
    return found.filter((pid) => pid !== undefined);
  }

  it('starts everything, serves, and leaves nothing running when npm itself is ended', async () => {
    const env = { ...process.env, MUSTER_HOME: place.path, MUSTER_PORT: '0', MUSTER_LOG: 'warn' };
    const npm = spawn('npm', ['start'], { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(npm, 'exit');
    let said = '';
    npm.stdout.on('data', (chunk) => (said += chunk));
    const url = await moment('it is ready', () => /muster is ready at (\S+)/.exec(said)?.[1]);
    const token = readFileSync(join(place.path, 'operator.token'), 'utf8').trim();
    // The page has its own name. Browsers know where names below localhost lead; Node asks the system, which may not.
    const { port } = new URL(url);
    const host = `muster.localhost:${port}`;
    const ask = (path: string, question: HttpQuestion) =>
      call({ port: Number(port) }, path, { ...question, headers: { host, ...question.headers } });
    const answer = await ask(listAgents, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).to.equal(200);
    const page = await ask('/', { method: 'GET', headers: { accept: 'text/html', authorization: null } });
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(page.text) ?? [];
    const loaded = await ask(new URL(script, url).pathname, { method: 'GET', headers: { authorization: null } });
    expect(loaded.headers['content-type']).to.match(/javascript/);
    npm.kill('SIGTERM');
    await exited;
    await moment('everything is gone', async () => (await carriers()).length === 0);
  });
});
