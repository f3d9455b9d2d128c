import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openWindow } from '#actors/host/effects/open-window.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { begin } from '#machines/decide.ts';
import { type Harness, withoutLacking } from '#machines/harness/definition.ts';
import { harnessesOf } from '#machines/harness/harnesses.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { windowOptions } from './window-options.ts';

const harness = {
  name: 'some-cli',
  command: 'some-cli',
  start: ['--new-one', '--old-one'],
  resume: ['resume', '{sessionId}', '--new-one'],
  resumeLatest: ['resume', '--last', '--new-one'],
  mayLack: ['--new-one'],
  env: {},
} as const satisfies Partial<Harness>;

describe('an option that older versions of a CLI lack', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('fitting-options');
    for (const name of ['bin', 'project']) mkdirSync(join(folder.path, name));
  });
  afterEach(() => folder.remove());

  /** The arguments that the CLI is launched with if it prints this help. */
  const launchedWith = async (answer: string): Promise<readonly string[]> => {
    writeFileSync(join(folder.path, 'bin/some-cli'), `#!/bin/sh\n[ "$*" = --help ] && ${answer}\n`, { mode: 0o755 });
    const opened: string[][] = [];
    const open = async ({ argv }: { readonly argv: string[] }) => {
      opened.push(argv);
      return { paneId: '%1' };
    };
    const options = windowOptions(folder.path, harnessesOf([harness as unknown as Harness]), open);
    const id = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
    const { snapshot } = begin(agentDefinition, { name: 'a', provision: false, scripts: [] });
    const launch = {
      harness: 'some-cli',
      flags: '--mine',
      copyFiles: [],
      sessionId: 's',
      cwd: join(folder.path, 'project'),
    };
    const record = { id, family: id, epoch: 1, launch, snapshot } as unknown as AgentRecord;
    await openWindow(options).perform(performanceOf(record, { key: 'k', kind: 'k', params: {} }));
    return opened.flatMap(([, ...args]) => args);
  };

  it('is passed to a CLI whose help names it', async () => {
    expect(await launchedWith("echo '  --new-one  Do it'")).to.deep.equal(['--new-one', '--old-one', '--mine']);
  });

  it('is omitted if the help does not list it', async () => {
    expect(await launchedWith("echo '  --new-one-too  --no-new-one'")).to.deep.equal(['--old-one', '--mine']);
  });

  it('is passed if the CLI prints no help', async () => {
    expect(await launchedWith('exit 1')).to.deep.equal(['--new-one', '--old-one', '--mine']);
  });

  it('is omitted from a resumed conversation too', () => {
    const fitting = withoutLacking(harness as unknown as Harness, 'Usage: some-cli [--old-one]');
    expect(fitting.resume).to.deep.equal(['resume', '{sessionId}']);
    expect(fitting.resumeLatest).to.deep.equal(['resume', '--last']);
  });
});
