import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, type Setting } from '../command-line.ts';

describe('muster logs', () => {
  let home: TemporaryFolder;
  const file = (name: string) => join(home.path, 'logs', name);
  const record = (second: number, name: string, more: object = {}): string =>
    `${JSON.stringify({ level: 'info', time: `2026-11-21T09:00:${String(second).padStart(2, '0')}.000Z`, pid: 1, name, msg: `m${second}`, ...more })}\n`;
  const logs = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(['logs', ...argv], { env: { MUSTER_HOME: home.path }, ...setting });
  const messages = (out: string) => [...out.matchAll(/"msg":"(\w+)"/g)].map(([, msg]) => msg);

  beforeEach(() => {
    home = temporaryFolder('logs');
    mkdirSync(join(home.path, 'logs'));
    writeFileSync(file('registry.jsonl.1'), record(1, 'registry') + record(2, 'registry'));
    writeFileSync(file('registry.jsonl'), record(4, 'registry') + record(6, 'registry'));
    writeFileSync(file('gateway.jsonl'), record(3, 'gateway') + record(5, 'gateway'));
  });
  afterEach(() => home.remove());

  it('merges the processes by time and prints the last records, also from the previous file', async () => {
    expect(messages((await logs(['-o', 'jsonl'])).out)).to.deep.equal(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
    expect(messages((await logs(['-n', '3', '-o', 'jsonl'])).out)).to.deep.equal(['m4', 'm5', 'm6']);
    expect(messages((await logs(['registry', '-n', '3', '-o', 'jsonl'])).out)).to.deep.equal(['m2', 'm4', 'm6']);
  });

  it('reads the end of a long file', async () => {
    writeFileSync(
      file('host.jsonl'),
      Array.from({ length: 3_000 }, (_, index) => record(7, 'host', { msg: `h${index}`, fill: 'x'.repeat(900) })).join(
        '',
      ),
    );
    expect(messages((await logs(['host', '-n', '2', '-o', 'jsonl'])).out)).to.deep.equal(['h2998', 'h2999']);
    expect(messages((await logs(['host', '-n', '2500', '-o', 'jsonl'])).out)).to.have.length(2500);
  });

  it('prints records in columns for a person, without control sequences', async () => {
    const err = { type: 'Error', message: 'no', stack: 'Error: no\n    at x\u001b' };
    appendFileSync(
      file('gateway.jsonl'),
      `${record(7, 'gateway', { level: 'error', err, agentId: 'agt_1', title: '\u001b[2J' })}no json\u001b\n`,
    );
    const { out } = await logs(['gateway', '-n', '3', '-o', 'table']);
    expect(out).to.equal(
      [
        '2026-11-21T09:00:05.000Z INFO  gateway  m5',
        '2026-11-21T09:00:07.000Z ERROR gateway  m7 agentId=agt_1 title=\\u001b[2J',
        '    Error: no',
        '        at x\\u001b',
        'no json\\u001b',
        '',
      ].join('\n'),
    );
  });

  it('follows every process, also later ones, over a rotated file', async () => {
    const stop = new AbortController();
    let shown = '';
    const onOut = (out: string) => {
      shown = out;
    };
    const running = logs(['-f', '-n', '1', '-o', 'jsonl'], { signal: stop.signal, onOut });
    const sees = (...wanted: string[]) => moment(wanted.join(), () => messages(shown).join() === wanted.join());
    await sees('m6');
    const torn = record(7, 'registry');
    appendFileSync(file('registry.jsonl'), torn.slice(0, 20));
    writeFileSync(file('host.jsonl'), record(8, 'host'));
    await sees('m6', 'm8');
    appendFileSync(file('registry.jsonl'), torn.slice(20) + record(9, 'registry'));
    renameSync(file('registry.jsonl'), file('registry.jsonl.1'));
    writeFileSync(file('registry.jsonl'), record(10, 'registry'));
    await sees('m6', 'm8', 'm7', 'm9', 'm10');
    stop.abort();
    expect((await running).code).to.equal(0);
  });

  it('lists the existing logs if the requested one does not exist', async () => {
    const wrong = await logs(['regstry']);
    expect(wrong.err).to.equal('no process regstry has a log: there are gateway, registry; did you mean registry?\n');
    expect(wrong.code).to.equal(4);
    const ofAgent = await logs(['lead']);
    expect(ofAgent.err).to.include('. Of an agent, muster read lead prints the screen and muster facts lead what');
    const none = await logs([], { env: { MUSTER_HOME: '/nowhere' } });
    expect(none.err).to.match(/there are no logs in \/nowhere\/logs/);
    expect(none.code).to.equal(4);
  });
});
