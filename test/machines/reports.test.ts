import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { noAddition } from '#machines/harness/launch-addition.ts';
import { launchAddition, reportedByTitle, trustIn } from '#machines/harness/reports.ts';
import { builtIn } from '#machines/harness/table.ts';

const programs = { report: "/opt/it's here/muster-report", plugin: '/opt/a b/plugin.mjs' };
const of = (name: string) => launchAddition(builtIn.find(name)?.reports, programs);

describe('the launch additions for self-reports', () => {
  it('are for Claude Code one settings flag with a hook for each event', () => {
    const { args, env } = of('claude');
    expect(args[0]).to.equal('--settings');
    const { hooks } = JSON.parse(args[1] ?? '') as {
      hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]>;
    };
    expect(Object.keys(hooks)).to.include.members(['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop']);
    expect(env).to.deep.equal({});
    // Claude Code sends an idle notification a minute after each turn, and one for a permission, which must be
    // reported.
    const notified = new RegExp(hooks['Notification']?.[0]?.matcher ?? '');
    expect(['permission_prompt', 'elicitation_dialog', 'idle_prompt'].map((kind) => notified.test(kind))).to.deep.equal(
      [true, true, false],
    );
    expect(hooks['Stop']?.[0]).not.to.have.property('matcher');
  });

  it('call the program by a shell command that works with any path, is silent, and cannot fail', () => {
    const words = { Stop: 'say "{x}" $HOME' };
    const [, settings = ''] = launchAddition({ through: 'settings', words, sessionField: 'id' }, programs).args;
    const { hooks } = JSON.parse(settings) as { hooks: { Stop: [{ hooks: [{ command: string }] }] } };
    const { command } = hooks.Stop[0].hooks[0];
    const shown = execFileSync('/bin/sh', ['-c', `show() { printf '%s\\n' "$@"; }; show ${command}`], {
      encoding: 'utf8',
    });
    expect(shown).to.equal(`${programs.report}\nsay "{x}" $HOME\nid\n`);
    expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).to.equal('');
  });

  it('are for Codex a flag for each event, and one that trusts exactly these hooks', () => {
    const { args } = of('codex');
    expect(args.filter((word) => word === '-c')).to.have.length(5);
    const stop = args.find((word) => word.startsWith('hooks.Stop='));
    expect(stop).to.match(/^hooks\.Stop=\[\{hooks=\[\{type="command",command=".*muster-report.*",timeout=3\}\]\}\]$/);
    expect(trustIn([{ key: '/<session-flags>/config.toml:stop:0:0', hash: 'sha256:ab' }])).to.deep.equal([
      '-c',
      'hooks.state={"/<session-flags>/config.toml:stop:0:0"={trusted_hash="sha256:ab"}}',
    ]);
    expect(trustIn([])).to.deep.equal([]);
  });

  it('are for opencode a plugin in its environment', () => {
    expect(of('opencode')).to.deep.equal({
      args: [],
      env: { OPENCODE_CONFIG_CONTENT: '{"plugin":["file:///opt/a%20b/plugin.mjs"]}' },
    });
  });

  it('are empty for a CLI that reports in its title or asks nothing, and if a person opts out', () => {
    for (const name of ['gemini', 'shell']) expect(of(name)).to.equal(noAddition);
    expect(launchAddition({ through: 'nothing' }, programs)).to.equal(noAddition);
  });

  it('come from the first character of a title', () => {
    const reports = builtIn.find('gemini')?.reports;
    expect(reportedByTitle(reports, '◇  Ready (project)      ')).to.equal('ready');
    expect(reportedByTitle(reports, '✋  Action Required (project)')).to.equal('action required');
    expect(reportedByTitle(reports, 'constructor')).to.equal(undefined);
    expect(reportedByTitle(reports, '')).to.equal(undefined);
    expect(reportedByTitle(builtIn.find('claude')?.reports, '✦ x')).to.equal(undefined);
  });
});
