import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { hooksInFlags } from '#world/process/codex-hooks.ts';

describe('the hooks in Codex’s flags', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('codex');
  });
  afterEach(() => folder.remove());

  const environment = { PATH: process.env['PATH'] ?? '', HOME: '/person' };
  const flags = ['-c', 'hooks.Stop=[]'];
  const log = () => readFileSync(join(folder.path, 'log'), 'utf8').trim().split('\n');
  /** A program that records its call and, after three requests, prints these lines. */
  const codex = (...lines: string[]): string => {
    const program = join(folder.path, 'codex');
    const said = lines.map((line) => `echo '${line}'`).join('\n');
    writeFileSync(
      program,
      `#!/bin/sh
echo "$* HOME=$HOME CODEX_HOME=$CODEX_HOME" >> '${folder.path}/log'
read -r _; read -r _; read -r asked
case $asked in *hooks/list*) ;; *) exit 1 ;; esac
${said}
exec sleep 60
`,
    );
    chmodSync(program, 0o755);
    return program;
  };
  const hook = (source: string, key: string) => JSON.stringify({ key, source, currentHash: `sha256:${key}`, more: 1 });

  it('are those that it lists itself, without the person’s', async () => {
    const answer = `{"id":"hooks","result":{"data":[{"hooks":[${hook('user', 'a')},${hook('sessionFlags', 'b')}]}]}}`;
    const program = codex('{"id":"hello","result":{}}', 'not JSON', answer);
    expect(await hooksInFlags(program, flags, environment)).to.deep.equal([{ key: 'b', hash: 'sha256:b' }]);
  });

  it('are requested once, in an empty temporary home', async () => {
    const program = codex('{"id":"hooks","result":{"data":[]}}');
    await hooksInFlags(program, flags, environment);
    await hooksInFlags(program, flags, environment);
    expect(log()).to.have.length(1);
    const home = / HOME=(\S+) CODEX_HOME=\1$/.exec(log()[0] ?? '')?.[1] ?? '';
    expect(log()[0]).to.match(/^app-server -c hooks\.Stop=\[\] /);
    expect(home).not.to.equal('/person');
    expect(existsSync(home)).to.equal(false);
  });

  it('are empty if it does not support the request, or ends', async () => {
    const program = codex('{"id":"hooks","error":{"code":-32601,"message":"no such method"}}');
    expect(await hooksInFlags(program, flags, environment)).to.deep.equal([]);
    expect(await hooksInFlags('/bin/false', flags, environment)).to.deep.equal([]);
  });
});
