import { expect } from 'chai';
import type { ForgeConnection } from '#contract/forge/forge-connection.ts';
import { refusalWith } from '#test/support/failure.ts';
import { runInside, type Setting } from '../command-line.ts';
import { type FakeService, fakeService } from '../fake-service.ts';

const service = 'forge.v1.ForgeService';
const github = {
  id: 'fgc_1',
  host: 'github.com',
  kind: 'FORGE_KIND_GITHUB',
  baseAddress: 'https://api.github.com',
  credentialCommand: ['gh', 'auth', 'token'],
} satisfies ForgeConnection;
const ours = {
  id: 'fgc_2',
  host: 'git.example.org',
  kind: 'FORGE_KIND_GITEA',
  credentialKept: true,
} satisfies ForgeConnection;

describe('muster forge', () => {
  let fake: FakeService;
  beforeEach(async () => {
    fake = await fakeService();
    fake.on(`${service}/ListForgeConnections`, () => ({ connections: [ours, github] }));
  });
  afterEach(() => fake.close());
  const muster = (argv: readonly string[], setting: Setting = {}) =>
    runInside(['forge', ...argv], {
      env: { SERVICE_BASE_URL: fake.url, SERVICE_TOKEN: 't', NO_COLOR: '1' },
      tty: true,
      ...setting,
    });

  it('connects a public forge with a credential from a program', async () => {
    fake.on(`${service}/CreateForgeConnection`, () => ({ connection: github }));
    const { code, out } = await muster(['add', 'github.com', '--command', 'gh', 'auth', 'token']);
    expect({ code, out }).deep.equal({
      code: 0,
      out: 'github.com is connected. Try it: muster forge check github.com\n',
    });
    expect(fake.requestsOf(`${service}/CreateForgeConnection`)).deep.equal([
      { host: 'github.com', kind: 'FORGE_KIND_GITHUB', credentialCommand: ['gh', 'auth', 'token'] },
    ]);
  });

  it('reads a credential from standard input, and never from the command line', async () => {
    fake.on(`${service}/CreateForgeConnection`, () => ({ connection: ours }));
    const add = ['add', 'git.example.org', '--kind', 'forgejo', '--base', 'https://git.example.org/x', '--token'];
    expect((await muster([...add, '-'], { stdin: 'canary-1\n', tty: false })).code).equal(0);
    expect(fake.requestsOf(`${service}/CreateForgeConnection`)).deep.equal([
      {
        host: 'git.example.org',
        kind: 'FORGE_KIND_GITEA',
        baseAddress: 'https://git.example.org/x',
        credential: 'canary-1',
      },
    ]);
    const { code, err } = await muster([...add, 'canary-2']);
    expect(code).equal(2);
    expect(err).contain('--token is -').and.not.contain('canary');
    expect(fake.requestsOf(`${service}/CreateForgeConnection`)).length(1);
  });

  it('asks for the kind of an unknown host', async () => {
    const { code, err } = await muster(['add', 'git.example.org', '--env', 'TOKEN']);
    expect(code).equal(2);
    expect(err).contain('--kind github|gitlab|gitea|forgejo|bitbucket');
  });

  it('lists connections, with where their credentials come from', async () => {
    const { out } = await muster(['ls']);
    expect(out).match(/^git\.example\.org +gitea +kept, encrypted$/m);
    expect(out).match(/^github\.com +github +https:\/\/api\.github\.com +command gh auth token$/m);
  });

  it('checks every connection, and reports faults', async () => {
    fake.on(`${service}/CheckForgeConnection`, ({ connectionId }) => {
      if (connectionId === 'fgc_2') throw refusalWith('failed_precondition', 'The forge refused the credential');
      return { login: 'robot', quotaRemaining: '4990', quotaLimit: '5000', quotaResetAt: '2026-11-21T10:00:00.000Z' };
    });
    const { code, out } = await muster(['check']);
    expect(code).equal(1);
    expect(out).contain('The forge refused the credential');
    expect(out).contain('robot').and.contain('4990 of 5000 until 2026-11-21T10:00:00.000Z');
    expect((await muster(['check', 'GitHub.com'])).code).equal(0);
    const { code: none, err } = await muster(['check', 'nowhere.test']);
    expect([none, err.trim()]).deep.equal([
      4,
      'no forge is connected for "nowhere.test": there are git.example.org, github.com',
    ]);
  });

  it('removes a connection by its host', async () => {
    fake.on(`${service}/DeleteForgeConnection`, () => ({}));
    expect((await muster(['rm', 'github.com'])).out).equal('github.com is disconnected\n');
    expect(fake.requestsOf(`${service}/DeleteForgeConnection`)).deep.equal([{ connectionId: 'fgc_1' }]);
  });

  it('lists pull requests over pages, up to the limit', async () => {
    fake.on(`${service}/ListForgePullRequests`, ({ pagination }) => ({
      pullRequests: [
        { number: pagination?.cursor ? 2 : 1, title: 'T\u001b[31m', state: 'OPEN', headBranch: 'b', draft: true },
      ],
      nextPageToken: pagination?.cursor ? 'third' : 'second',
    }));
    const { out } = await muster(['prs', 'git@github.com:o/n', '--branch', 'b', '-n', '2']);
    expect(out)
      .match(/^1 +open, draft /m)
      .and.match(/^2 /m)
      .and.not.contain('\u001b');
    expect(fake.requestsOf(`${service}/ListForgePullRequests`)).deep.equal([
      { remoteUrl: 'git@github.com:o/n', branch: 'b', pagination: { pageSize: 2 } },
      { remoteUrl: 'git@github.com:o/n', branch: 'b', pagination: { pageSize: 1, cursor: 'second' } },
    ]);
  });
});
