import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Workflow } from '#contract/workflow.ts';
import { runInside } from '#test/cli/command-line.ts';
import type { RunningService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';

/** What the host’s environment has, of which a workflow names the first. */
export const hostVariables = { PASSED_ON: 'from the host', DATABASE_PASSWORD: 'hunter2-of-nobody' };

/** Tests what a workflow adds to the environment of its agents, on a service that began with `hostVariables`. */
export function testAdditions(serviceOf: () => RunningService): void {
  describe('a workflow’s additions to the environment', () => {
    const odd = `a "b" 'c' $HOME #{pane_id} \\ ; ${'x'.repeat(6_000)}`;
    let home: string;
    const muster = (...argv: string[]) =>
      runInside(argv, { env: { MUSTER_HOME: home, MUSTER_URL: serviceOf().url, NO_COLOR: '1' } });
    const wrote = (name: string) => moment(name, () => readdirSync(home).includes(name));
    const writes = (name: string) => `env > ${home}/${name}.part; mv ${home}/${name}.part ${home}/${name}`;
    const workflow = async () => JSON.parse((await muster('workflow', 'show', 'plain', '-o', 'json')).out) as Workflow;

    before(async () => {
      ({ home } = serviceOf());
      const flags = ['--cwd', home, '--harness', 'shell', '--on-idle', writes('env-idle')];
      const env = ['PASSED_ON', 'NOT_THERE', 'EMPTY=', 'LANG=C.UTF-8', `ODD=${odd}`, 'TWO=a=b'];
      const made = await muster('workflow', 'create', 'plain', ...flags, ...env.flatMap((one) => ['--env', one]));
      expect(made.err).to.equal('');
      await muster('new', writes('env-pane'), '-w', 'plain', '--title', 'looks');
      await wrote('env-pane');
      await wrote('env-idle');
    });

    function holdsIt(name: string): void {
      const lines = readFileSync(join(home, name), 'utf8').split('\n');
      expect(lines).to.include.members(['PASSED_ON=from the host', 'EMPTY=', 'LANG=C.UTF-8', `ODD=${odd}`, 'TWO=a=b']);
      expect(lines.filter((line) => /^(?:NOT_THERE|DATABASE_PASSWORD)=/.test(line))).to.deep.equal([]);
      expect(lines.join('\n')).to.not.include(hostVariables.DATABASE_PASSWORD);
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
      rmSync(join(home, 'env-pane'));
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
}
