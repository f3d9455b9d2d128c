import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkAdditions } from '#actors/registry/placement/environment-additions.ts';
import type { Workflow } from '#contract/workflow.ts';
import { runInside } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { withAdditions } from '#world/process/environment.ts';

describe('a workflow’s additions to the environment', function () {
  this.timeout(60_000);
  const secret = 'hunter2-of-nobody';
  const odd = `a "b" 'c' $HOME #{pane_id} \\ ; ${'x'.repeat(6_000)}`;
  let home: TemporaryFolder;
  let service: WholeService;
  const muster = (...argv: string[]) =>
    runInside(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' } });
  const wrote = (name: string) => moment(name, () => readdirSync(home.path).includes(name), 30_000);
  const writes = (name: string) => `env > ${home.path}/${name}.part; mv ${home.path}/${name}.part ${home.path}/${name}`;
  const workflow = async () => JSON.parse((await muster('workflow', 'show', 'plain', '-o', 'json')).out) as Workflow;

  before(async () => {
    home = temporaryFolder('workflow-environment');
    Object.assign(process.env, { PASSED_ON: 'from the host', DATABASE_PASSWORD: secret });
    service = await startService(home.path);
    const flags = ['--cwd', home.path, '--harness', 'shell', '--on-idle', writes('env-idle')];
    const env = ['PASSED_ON', 'NOT_THERE', 'EMPTY=', 'LANG=C.UTF-8', `ODD=${odd}`, 'TWO=a=b'];
    const made = await muster('workflow', 'create', 'plain', ...flags, ...env.flatMap((one) => ['--env', one]));
    expect(made.err).to.equal('');
    await muster('new', writes('env-pane'), '-w', 'plain', '--title', 'looks');
    await wrote('env-pane');
    await wrote('env-idle');
  });
  after(async () => {
    for (const name of ['PASSED_ON', 'DATABASE_PASSWORD']) delete process.env[name];
    await service.end();
    home.remove();
  });

  function holdsIt(name: string): void {
    const lines = readFileSync(join(home.path, name), 'utf8').split('\n');
    expect(lines).to.include.members(['PASSED_ON=from the host', 'EMPTY=', 'LANG=C.UTF-8', `ODD=${odd}`, 'TWO=a=b']);
    expect(lines.filter((line) => /^(?:NOT_THERE|DATABASE_PASSWORD)=/.test(line))).to.deep.equal([]);
    expect(lines.join('\n')).to.not.include(secret);
  }

  for (const name of ['env-pane', 'env-idle']) it(`is in ${name}, to the letter`, () => holdsIt(name));

  it('are stored as given: a name alone without its value', async () => {
    expect((await workflow()).environment)
      .to.include('PASSED_ON')
      .and.to.include('NOT_THERE');
    expect(JSON.stringify(await workflow())).not.to.include('from the host');
  });

  it('return after a restore as at the launch, whatever the workflow has by then', async () => {
    expect((await muster('workflow', 'edit', 'plain', '--env', 'OTHER=1')).code).to.equal(0);
    expect((await workflow()).environment).to.deep.equal(['OTHER=1']);
    await muster('archive', 'looks');
    await muster('restore', 'looks');
    rmSync(join(home.path, 'env-pane'));
    await muster('prompt', 'looks', writes('env-pane'));
    await wrote('env-pane');
    holdsIt('env-pane');
  });

  it('is removed by --clear', async () => {
    expect((await muster('workflow', 'edit', 'plain', '--clear', 'env')).code).to.equal(0);
    expect((await workflow()).environment).to.equal(undefined);
  });

  it('are refused, without the value, if muster cannot or should not set them', async () => {
    const names = ['PATH', 'HOME', 'SERVICE_TOKEN', 'MUSTER_HOME', 'TMUX', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES'];
    for (const name of [...names, 'NODE_OPTIONS', 'BASH_ENV', 'a-b', '1A', '', ' A']) {
      const { code, err } = await muster('workflow', 'edit', 'plain', '--env', `${name}=hunter2-refused`);
      expect(code, name).to.equal(2);
      expect(err, name).to.include(JSON.stringify(name)).and.not.to.include('hunter2-refused');
    }
    expect((await workflow()).environment).to.equal(undefined);
  });
});

describe('the additions to an environment', () => {
  it('are limited, unique, and contain no NUL', () => {
    expect(() => checkAdditions(['A=1', 'A'])).to.throw('twice');
    expect(() => checkAdditions(['A=1\0B=2'])).to.throw('NUL');
    expect(() => checkAdditions(['A', 'B', 'C', 'D', 'E'].map((name) => `${name}=${'x'.repeat(8_000)}`))).to.throw(
      '32768',
    );
  });

  it('are empty for a name that the host does not have', () => {
    expect(withAdditions({ A: '1' }, { B: '2' }, ['A', 'B', 'C', 'D='])).to.deep.equal({ A: '1', B: '2', D: '' });
  });
});
