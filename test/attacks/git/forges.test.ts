import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { channels, doorOf, rowOf } from '#test/channels/channel.ts';
import { type Instance, startInstance } from '#test/channels/instance.ts';
import { testForge } from '#test/forge/test-forge.ts';

describe('an attack with the address of a repository', () => {
  let instance: Instance;
  let trap: string;

  before(async () => {
    instance = await startInstance();
    trap = join(instance.fixture.folder.path, 'sprung');
    const given = { host: 'github.com', kind: 'FORGE_KIND_GITHUB', credential: testForge.token };
    await instance.fixture.call('CreateForgeConnection', given);
    instance.log.lines.length = 0;
  });
  after(() => instance.close());
  beforeEach(() => {
    testForge.asked.length = 0;
  });

  const door = () => doorOf(instance, instance.fixture.operatorToken);
  /** The result of a request over each channel: code and message. */
  async function refusals(request: object): Promise<{ code: string; message: string }[]> {
    const told: { code: string; message: string }[] = [];
    for (const channel of channels) {
      const outcome = await channel.call(door(), rowOf('ListForgePullRequests'), request);
      expect(outcome, channel.name).property('refusal');
      told.push((outcome as unknown as { refusal: { code: string; message: string } }).refusal);
    }
    return told;
  }

  /** Options, helpers, other schemes, paths and what is none of all that. */
  const addresses = (): string[] => [
    `--upload-pack=touch ${trap};`,
    `--upload-pack=touch${trap}`,
    '-oProxyCommand=id:owner/name',
    `ext::sh -c touch% ${trap}`,
    `ext::sh`,
    'fd::17/foo',
    'file:///etc/passwd',
    'file://github.com/owner/name',
    '/root/repository/name',
    './owner/name',
    '~/owner/name',
    'C:\\owner\\name',
    'ssh://-oProxyCommand=id/owner/name',
    'ssh://git@github.com/owner/name',
    'git://github.com/owner/name',
    'git+ssh://git@github.com/owner/name',
    'ftp://github.com/owner/name',
    'javascript://github.com/owner/name',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:8222/varz/x',
    'http://[::1]:8222/a/b',
    'gopher://127.0.0.1:6379/_SET/x',
    'https://github.com/owner/../../user',
    'https://github.com/owner/name\r\nHost: evil.test',
    'https://github.com/owner/name\0',
    'git@github.com:owner/name\n--upload-pack=id',
    'git@-oProxyCommand=id:owner/name',
    'https://github.com\\@evil.test/owner/name',
    'https://github.com%00.evil.test/owner/name',
  ];

  it('that is an option, a helper, another scheme, a path or malformed is refused on every channel without effect', async () => {
    for (const remoteUrl of addresses()) {
      for (const { code, message } of await refusals({ remoteUrl })) {
        expect(code, JSON.stringify(remoteUrl)).equal('invalid_argument');
        expect(message).not.contain('evil.test');
      }
    }
    expect(existsSync(trap)).equal(false);
    expect(testForge.asked).deep.equal([]);
  });

  it('of an internal machine is never dialled, and open and closed ports look the same', async () => {
    const port = new URL(instance.url).port;
    const within = [
      `https://127.0.0.1:${port}/owner/name`,
      'https://127.0.0.1:1/owner/name',
      'https://[::ffff:7f00:1]/owner/name',
      'https://[::1]/owner/name',
      'https://169.254.169.254/latest/meta-data',
      'https://0x7f000001/owner/name',
      'https://2130706433/owner/name',
      'https://localhost/owner/name',
      'git@127.0.0.1:owner/name',
      'git@metadata.google.internal:owner/name',
      'https://github.com.evil.test/owner/name',
      'https://github.com:8443/owner/name',
      'https://api.github.com/owner/name',
    ];
    const messages = new Set<string>();
    for (const remoteUrl of within) {
      for (const { code, message } of await refusals({ remoteUrl })) {
        expect(code, remoteUrl).be.oneOf(['failed_precondition', 'invalid_argument']);
        messages.add(message.replace(/"[^"]*"/, 'HOST'));
      }
    }
    expect([...messages].filter((one) => one.includes('HOST'))).length(1);
    expect(testForge.asked).deep.equal([]);
  });

  it('with a credential in it is refused, and the credential appears nowhere', async () => {
    for (const remoteUrl of [
      'https://user:ghp_canary@github.com/owner/name',
      'https://ghp_canary@github.com/owner/name',
      'https://ghp_canary:x-oauth-basic@github.com/owner/name.git',
      'ghp_canary:x@github.com:owner/name',
      'https://github.com/owner/name?access_token=ghp_canary',
      'https://github.com/owner/name#ghp_canary',
    ]) {
      for (const { code, message } of await refusals({ remoteUrl })) {
        expect(code, remoteUrl).equal('invalid_argument');
        expect(message).not.contain('canary');
      }
    }
    expect(instance.log.lines.join('\n')).not.contain('canary');
    const { facts } = await instance.fixture.call<{ facts: unknown[] }>('ListFacts', { pageSize: 200 });
    expect(JSON.stringify(facts)).not.contain('canary');
    expect(testForge.asked).deep.equal([]);
  });

  it('with a branch that is an option or an expression is refused', async () => {
    const remoteUrl = 'git@github.com:owner/name';
    for (const branch of [
      '--output=/tmp/x',
      '-x',
      '--open-files-in-pager=id',
      'a..b',
      'a@{1}',
      'HEAD^',
      'a b',
      'a\nb',
      'a\0b',
      'x:y',
      '/a',
      'a/',
      'a.lock',
      'a\\b',
      '*',
    ]) {
      for (const { code } of await refusals({ remoteUrl, branch }))
        expect(code, JSON.stringify(branch)).equal('invalid_argument');
    }
    expect(testForge.asked).deep.equal([]);
  });

  it('with an odd but valid branch passes it on as data only', async () => {
    const remoteUrl = 'git@github.com:owner/name';
    for (const branch of ['$(id)', '"){viewer{login}}#', '`id`', "';--", 'ünï/🎉', 'a&state=all', '%2e%2e']) {
      const page = await instance.fixture.call<{ pullRequests?: unknown[] }>('ListForgePullRequests', {
        remoteUrl,
        branch,
      });
      expect(page.pullRequests ?? [], branch).deep.equal([]);
    }
    expect(new Set(testForge.asked.map(({ href }) => href))).deep.equal(new Set(['https://api.github.com/graphql']));
  });

  it('with the base address of a connection is only a person’s, and never plain http to another machine', async () => {
    const { id } = await instance.fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_ORCHESTRATOR' });
    const request = {
      host: 'x.test',
      kind: 'FORGE_KIND_GITEA',
      credentialEnv: 'PATH',
      baseAddress: 'http://169.254.169.254/',
    };
    for (const channel of channels) {
      const agent = await channel.call(
        doorOf(instance, instance.fixture.tokenOf(id)),
        rowOf('CreateForgeConnection'),
        request,
      );
      expect(agent, channel.name).nested.property('refusal.code', 'permission_denied');
      const person = await channel.call(door(), rowOf('CreateForgeConnection'), request);
      expect(person, channel.name).nested.property('refusal.code', 'invalid_argument');
    }
  });
});
