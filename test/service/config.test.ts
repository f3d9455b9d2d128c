import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '#service/config.ts';
import { failureOf } from '../support/failure.ts';

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).to.deep.equal({
      home: join(homedir(), '.local/state/muster'),
      bind: '127.0.0.1',
      port: 7433,
      baseUrl: 'http://127.0.0.1:7433',
      tls: undefined,
      h2c: false,
      databaseUrl: undefined,
      databasePasswordFile: undefined,
      busUrl: undefined,
      busKeysFile: undefined,
      busCredentialsFile: undefined,
      busAuthorityFile: undefined,
      network: undefined,
      joinUrl: 'http://127.0.0.1:7433',
      isJoinUrlGiven: false,
      joinCertFile: undefined,
      agentCeiling: 64,
      placesForPeople: 8,
      agentLaunchesPerMinute: 12,
      agentLaunches: 24,
      agentLaunchesArchived: 1000,
      newHosts: 256,
      factDays: 30,
      factCount: 100_000,
      mailPerMinute: 120,
      mailHops: 8,
      terminal: 'auto',
      isolation: undefined,
      agentVariables: [],
      backups: undefined,
      logLevel: 'info',
    });
  });

  it('takes the state folder from MUSTER_HOME, else from XDG_STATE_HOME', () => {
    expect(readConfig({ XDG_STATE_HOME: '/x' }).home).to.equal('/x/muster');
    expect(readConfig({ XDG_STATE_HOME: '/x', MUSTER_HOME: '/h/../m/' }).home).to.equal('/m');
    expect(readConfig({ MUSTER_HOME: '~/m' }).home).to.equal(join(homedir(), 'm'));
  });

  it('counts an empty variable as unset, unless it names a path', () => {
    const empty = { MUSTER_PORT: '', MUSTER_BIND: '', MUSTER_DATABASE_URL: '', MUSTER_LOG: '' };
    expect(readConfig(empty)).to.deep.equal(readConfig({}));
  });

  it('reserves an eighth of the agents for people by default, and never more than exist', async () => {
    expect(readConfig({ MUSTER_AGENT_CEILING: '9' }).placesForPeople).to.equal(2);
    expect(readConfig({ MUSTER_AGENT_CEILING: '9', MUSTER_PLACES_FOR_PEOPLE: '9' }).placesForPeople).to.equal(9);
    const given = { MUSTER_AGENT_CEILING: '9', MUSTER_PLACES_FOR_PEOPLE: '10' };
    expect((await failureOf(() => readConfig(given))).message).to.include('MUSTER_AGENT_CEILING');
  });

  it('is frozen', () => {
    const config = readConfig({ MUSTER_TLS_CERT: '/c', MUSTER_TLS_KEY: '/k' });
    expect(config).to.be.frozen;
    expect(config.tls).to.be.frozen;
  });

  for (const [name, good, bad] of [
    ['MUSTER_PORT', ['0', '65535'], ['-1', '65536', '80a', '0x10', '1e3', '7433.0', '٣', '99999999999999999999']],
    ['MUSTER_AGENT_CEILING', ['1', '100000'], ['0', '100001', '1.5', 'many', '-64']],
    ['MUSTER_PLACES_FOR_PEOPLE', ['0', '64'], ['65', '-1', 'some']],
    ['MUSTER_AGENT_LAUNCHES_PER_MINUTE', ['0', '1000000'], ['-1', '1e3']],
    ['MUSTER_AGENT_LAUNCHES', ['0', '100000'], ['100001', 'x']],
    ['MUSTER_AGENT_LAUNCHES_ARCHIVED', ['0', '1000000'], ['1000001', '-1']],
    ['MUSTER_NEW_HOSTS', ['0', '100000'], ['100001', '-1', 'many']],
    ['MUSTER_FACT_DAYS', ['1', '36500'], ['0', '36501', 'ever']],
    ['MUSTER_FACT_COUNT', ['1', '100000000'], ['0', '1e5', '-1']],
    ['MUSTER_MAIL_PER_MINUTE', ['1', '1000000'], ['0', '-1', '1e3']],
    ['MUSTER_MAIL_HOPS', ['1', '1000000'], ['0', 'x']],
    ['MUSTER_BACKUP_KEEP', ['1', '99999'], ['0', 'all']],
    ['MUSTER_BACKUP_PASSPHRASE_FILE', ['/p'], ['p']],
    ['MUSTER_TERMINAL', ['auto', 'tmux', 'embedded'], ['screen', 'Tmux', 'pty']],
    ['MUSTER_AGENT_ENV', ['NVM_DIR', 'A,B_*', ' A  B '], ['A=b', '*', 'A;B', '1A']],
    ['MUSTER_LOG', ['trace', 'silent'], ['loud', 'INFO']],
    ['MUSTER_HOME', ['/m', '~/m'], ['m', './m', '~other/m', '', ' ']],
    [
      'MUSTER_BIND',
      ['127.0.0.1', '127.1.2.3', '::1', 'localhost'],
      ['muster.example', '127.0.0.1; rm', '[::1]', '300.1.1.1', '127.1'],
    ],
    ['MUSTER_TLS_PORT', ['0', '7434'], ['-1', '65536']],
    ['MUSTER_BUS_PORT', ['0', '7435'], ['x']],
    ['MUSTER_URL', ['https://m.example', 'http://h:1/'], ['m.example', 'ftp://h', 'https://h/path', 'https://h/?q']],
    [
      'MUSTER_BUS_URL',
      ['nats://localhost:1', 'tls://h', 'nats://[::1]:1, tls://b:1'],
      ['h:4222', 'http://h', 'tls://h,', 'tls://'],
    ],
    ['MUSTER_BUS_KEYS', ['/k'], ['k']],
    ['MUSTER_BUS_CREDENTIALS', ['/c'], ['c']],
    ['MUSTER_BUS_CA', ['/c', '~/c'], ['c']],
    ['MUSTER_JOIN_URL', ['https://m.example:7434'], ['m.example', 'https://m.example/x']],
    ['MUSTER_JOIN_CERT', ['/c'], ['c', '']],
  ] as const) {
    it(`accepts valid values of ${name} and refuses others, naming variable, value and rule`, async () => {
      for (const value of good) readConfig({ [name]: value });
      for (const value of bad) {
        const failure = await failureOf(() => readConfig({ [name]: value }));
        expect(failure.code).to.equal('invalid_argument');
        expect(failure.message)
          .to.include(`${name} is ${JSON.stringify(value)}`)
          .and.to.match(/ must be /);
      }
    });
  }

  it('names every invalid variable at once', async () => {
    const { message } = await failureOf(() => readConfig({ MUSTER_PORT: 'a', MUSTER_LOG: 'b' }));
    expect(message).to.include('MUSTER_PORT').and.to.include('MUSTER_LOG');
  });

  it('does not repeat a password in an address', async () => {
    const { message } = await failureOf(() => readConfig({ MUSTER_BUS_URL: 'http://host:hunter2@bus' }));
    expect(message).not.to.include('hunter2');
  });

  it('accepts other machines on a second gateway with its own certificate, or on the one with a given certificate', () => {
    for (const bind of ['0.0.0.0', '192.168.0.7', '::', '126.0.0.1']) {
      expect(readConfig({ MUSTER_BIND: bind })).to.deep.include({
        bind: '127.0.0.1',
        baseUrl: 'http://127.0.0.1:7433',
        network: { bind, port: 7434, busPort: 7435 },
      });
    }
    const config = readConfig({ MUSTER_BIND: '0.0.0.0', MUSTER_TLS_CERT: '/c', MUSTER_TLS_KEY: '/k' });
    expect(config).to.deep.include({
      bind: '0.0.0.0',
      tls: { certFile: '/c', keyFile: '/k' },
      baseUrl: 'https://127.0.0.1:7433',
      network: { bind: '0.0.0.0', port: undefined, busPort: 7435 },
    });
    const named = readConfig({ MUSTER_JOIN_URL: 'https://m.example:7434', MUSTER_TLS_PORT: '1', MUSTER_BUS_PORT: '2' });
    expect(named).to.deep.include({ joinUrl: 'https://m.example:7434', isJoinUrlGiven: true, network: undefined });
  });

  it('requires a certificate and its key together', async () => {
    for (const [one, other] of [
      ['MUSTER_TLS_CERT', 'MUSTER_TLS_KEY'],
      ['MUSTER_TLS_KEY', 'MUSTER_TLS_CERT'],
    ] as const) {
      const { message } = await failureOf(() => readConfig({ [one]: '/x' }));
      expect(message).to.include(`${one} is "/x", and ${other} is unset`);
    }
  });

  it('requires the interval and the folder of scheduled backups together', async () => {
    const settings = { MUSTER_BACKUP_EVERY: '6h', MUSTER_BACKUP_FOLDER: '/backups' };
    for (const [one, other] of [
      ['MUSTER_BACKUP_EVERY', 'MUSTER_BACKUP_FOLDER'],
      ['MUSTER_BACKUP_FOLDER', 'MUSTER_BACKUP_EVERY'],
    ] as const) {
      const { message } = await failureOf(() => readConfig({ [one]: settings[one] }));
      expect(message).to.include(`${one} is set, and ${other} is unset`);
    }
    expect(readConfig({}).backups).to.equal(undefined);
    const scheduled = { everyMs: 21_600_000, folder: '/backups', keep: 14, passphraseFile: undefined };
    expect(readConfig(settings).backups).to.deep.equal(scheduled);
  });

  it('returns the address at which agents reach it', () => {
    expect(readConfig({ MUSTER_BIND: '::1', MUSTER_PORT: '80' }).baseUrl).to.equal('http://[::1]');
    expect(readConfig({ MUSTER_URL: 'https://m.example:8443/' }).baseUrl).to.equal('https://m.example:8443');
  });
});
