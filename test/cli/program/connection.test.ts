import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FailureCode, failureCodes } from '#contract/reason/failure-code.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { runInside, runProgram } from '../command-line.ts';
import { type FakeService, fakeService } from '../fake-service.ts';

const exitCodes: Readonly<Record<FailureCode, number>> = {
  canceled: 1,
  unknown: 1,
  invalid_argument: 2,
  deadline_exceeded: 10,
  not_found: 4,
  already_exists: 5,
  permission_denied: 8,
  resource_exhausted: 7,
  failed_precondition: 6,
  aborted: 6,
  out_of_range: 1,
  unimplemented: 1,
  internal: 1,
  unavailable: 9,
  data_loss: 1,
  unauthenticated: 8,
};
const getAgent = ['rpc', 'get-agent', '--agent-id', 'agt_1'];

describe('how a command ends', () => {
  let service: FakeService;
  const env = () => ({ SERVICE_BASE_URL: service.url, SERVICE_TOKEN: 'secret' });
  beforeEach(async () => {
    service = await fakeService();
  });
  afterEach(() => service.close());

  for (const code of Object.keys(failureCodes) as FailureCode[]) {
    it(`exits with ${exitCodes[code]} on ${code}, with the message on stderr, as JSON on request`, async () => {
      service.on('agent.v1.AgentService/GetAgent', () => {
        throw refusalWith(code, 'this\u001b was wrong: do that');
      });
      const plain = await runInside(getAgent, { env: env() });
      const where = code === 'unauthenticated' ? ' (the token was taken from SERVICE_TOKEN)' : '';
      expect(plain).to.deep.equal({ code: exitCodes[code], out: '', err: `this\\u001b was wrong: do that${where}\n` });
      for (const asked of [['-o', 'json'], ['-ojson'], ['--output=json'], ['--output', 'jsonl']]) {
        const json = await runInside([...getAgent, ...asked], { env: env() });
        expect(JSON.parse(json.err)).to.deep.equal({ code, message: `this\u001b was wrong: do that${where}` });
        expect(json.code).to.equal(exitCodes[code]);
      }
    });
  }

  it('exits with 0 and prints data on standard output only, also as its own process', async () => {
    service.on('agent.v1.AgentService/GetAgent', () => ({ agent: { agent: { id: 'agt_1' } } }));
    const expected = { code: 0, out: '{"agent":{"agent":{"id":"agt_1"}}}\n', err: '' };
    expect(await runProgram(getAgent, { env: env() })).to.deep.equal(expected);
  });

  it('refuses an empty MUSTER_HOME, which may be the default folder of another installation', async () => {
    const { code, err } = await runInside(['ls'], { env: { MUSTER_HOME: '' } });
    expect([code, err]).to.deep.equal([2, 'MUSTER_HOME is "": name the state folder, or unset it\n']);
  });

  it('reports usage errors as JSON too', async () => {
    const { code, err } = await runProgram(['ls', '--nope', '-o', 'json'], { env: env() });
    expect(JSON.parse(err)).to.deep.equal({
      code: 'invalid_argument',
      message: "unknown option '--nope': muster ls --help lists its options",
      reason: 'INVALID_USAGE',
    });
    expect(code).to.equal(2);
  });
});

describe('how a command finds the service', () => {
  let service: FakeService;
  let folder: TemporaryFolder;
  const token = () => service.calls.at(-1)?.token;
  beforeEach(async () => {
    folder = temporaryFolder('connection');
    service = await fakeService();
    service.answerAll();
  });
  afterEach(async () => {
    await service.close();
    folder.remove();
  });
  const placeToken = (...inside: string[]): void => {
    mkdirSync(join(folder.path, ...inside), { recursive: true });
    writeFileSync(join(folder.path, ...inside, 'operator.token'), 'operator\n', { mode: 0o600 });
  };

  it('uses the operator’s token of the state folder, wherever that is', async () => {
    const { port } = new URL(service.url);
    placeToken('home');
    placeToken('xdg', 'muster');
    placeToken('person', '.local', 'state', 'muster');
    const places = [
      { MUSTER_HOME: join(folder.path, 'home') },
      { MUSTER_HOME: '~/home', HOME: folder.path },
      { XDG_STATE_HOME: join(folder.path, 'xdg') },
      { HOME: join(folder.path, 'person') },
    ];
    for (const place of places) {
      expect(await runInside(getAgent, { env: { MUSTER_PORT: port, ...place } })).to.deep.include({ code: 0 });
      expect(token()).to.equal('operator');
    }
    expect(service.calls).to.have.length(places.length);
  });

  it('prefers the pane’s address and token', async () => {
    placeToken();
    const env = {
      MUSTER_HOME: folder.path,
      MUSTER_PORT: '1',
      SERVICE_BASE_URL: `${service.url}/`,
      SERVICE_TOKEN: 'own',
    };
    expect((await runInside(getAgent, { env })).code).to.equal(0);
    expect(token()).to.equal('own');
  });

  it('never uses the operator’s token for an agent', async () => {
    placeToken();
    const env = { MUSTER_HOME: folder.path, SERVICE_BASE_URL: service.url, SERVICE_AGENT_ID: 'agt_7' };
    const { code, err } = await runInside(getAgent, { env });
    expect(err).to.match(/SERVICE_AGENT_ID is agt_7 and SERVICE_TOKEN is unset/);
    expect({ code, calls: service.calls.length }).to.deep.equal({ code: 8, calls: 0 });
  });

  it('prints the remedy if nothing runs, or another program answers', async () => {
    const env = { MUSTER_HOME: folder.path, MUSTER_URL: service.url };
    await service.close();
    expect(await runInside(['ls'], { env })).to.deep.include({
      code: 9,
      err: `muster is not running at ${service.url}: start it with muster start, or set MUSTER_PORT or MUSTER_URL to where it runs\n`,
    });
    service = await fakeService((_request, response) => Boolean(response.writeHead(404).end('<html>')));
    const other = await runInside(['ls'], { env: { ...env, MUSTER_URL: service.url } });
    expect(other.err).to.match(/answered HTTP 404 without a reason: check that it is muster/);
    expect(other.code).to.equal(1);
  });

  it('names its state folder if the service uses another one', async () => {
    await service.close();
    service = await fakeService((_request, response) => {
      const body = JSON.stringify({ code: 'unauthenticated', message: 'no token' });
      return Boolean(response.writeHead(401).end(body));
    });
    const home = join(folder.path, 'forgotten');
    const env = { MUSTER_HOME: home, MUSTER_URL: service.url };
    const { err, code } = await runInside(['ls'], { env });
    expect(err)
      .to.include(
        `muster at ${service.url} uses another state folder than this command: there is no operator.token in ${home}.`,
      )
      .and.to.include('Set MUSTER_HOME to the folder that it was started with');
    expect(code).to.equal(8);
    placeToken('forgotten');
    expect((await runInside(['ls'], { env })).err).to.include(`it does not accept the operator.token in ${home}.`);
  });

  it('refuses an answer that is not JSON, or incomplete', async () => {
    for (const body of ['<html>', '{"agent":']) {
      const other = await fakeService((_request, response) => Boolean(response.writeHead(200).end(body)));
      const { code, err } = await runInside(getAgent, { env: { SERVICE_BASE_URL: other.url, SERVICE_TOKEN: 'own' } });
      await other.close();
      expect(err).to.equal(`the server at ${other.url} is not muster: it did not answer in JSON\n`);
      expect(code).to.equal(9);
    }
    const torn = await fakeService((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      return response.write('{"agent":', () => response.destroy());
    });
    const { code, err } = await runInside(getAgent, { env: { SERVICE_BASE_URL: torn.url, SERVICE_TOKEN: 'own' } });
    await torn.close();
    expect(err).to.include(`muster at ${torn.url} cannot be reached`);
    expect(code).to.equal(9);
  });

  it('does not follow a redirect with its token', async () => {
    const seen: (string | undefined)[] = [];
    const thief = await fakeService((request) => {
      seen.push(request.headers.authorization);
      return false;
    });
    const redirector = await fakeService((_request, response) =>
      Boolean(response.writeHead(307, { location: thief.url }).end()),
    );
    try {
      const env = { SERVICE_BASE_URL: redirector.url, SERVICE_TOKEN: 'own' };
      expect((await runInside(getAgent, { env })).code).to.equal(9);
      expect(seen).to.deep.equal([]);
    } finally {
      await Promise.all([thief.close(), redirector.close()]);
    }
  });

  it('names an invalid variable', async () => {
    for (const [name, value] of [
      ['MUSTER_PORT', 'x'],
      ['MUSTER_URL', 'ftp://x'],
      ['SERVICE_BASE_URL', 'x'],
    ] as const) {
      const { code, err } = await runInside(['ls'], { env: { [name]: value } });
      expect(err).to.include(`${name} is "${value}": it must be`);
      expect(code).to.equal(2);
    }
  });

  it('reads the address if the service chose a free port', async () => {
    const { code, err } = await runInside(['ls'], { env: { MUSTER_PORT: '0' } });
    expect(err).to.match(/^MUSTER_PORT is 0.*set MUSTER_URL to the address that muster start printed\n$/);
    expect(code).to.equal(2);
  });

  it('refuses a token file that others may read, with the remedy', async () => {
    placeToken();
    chmodSync(join(folder.path, 'operator.token'), 0o640);
    const { code, err } = await runInside(['ls'], { env: { MUSTER_HOME: folder.path } });
    expect(err).to.match(/operator\.token contains a secret that other users may read \(mode 640\): chmod 600 /);
    expect(code).to.equal(6);
  });

  it('reports an unreadable token', async () => {
    mkdirSync(join(folder.path, 'operator.token'));
    const { code, err } = await runInside(['ls'], { env: { MUSTER_HOME: folder.path } });
    expect(err).to.match(/operator\.token, the operator's token, cannot be read/);
    expect(code).to.equal(8);
  });
});
