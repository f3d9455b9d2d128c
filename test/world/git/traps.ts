import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { GitFixture } from '../git-fixture.ts';

const hooks = [
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-merge',
  'pre-rebase',
  'post-rewrite',
  'pre-push',
  'fsmonitor-watchman',
  'pre-auto-gc',
  'sendemail-validate',
  'push-to-checkout',
];

/** Every kind of program that a repository can make git run, each of which leaves a note when it runs. */
export class Traps {
  readonly #fixture: GitFixture;
  readonly #canary: string;

  constructor(fixture: GitFixture) {
    this.#fixture = fixture;
    this.#canary = fixture.path('canary');
  }

  /** A script that notes its name and does what a filter would. */
  #trap(name: string): string {
    return this.#fixture.write(`traps/${name}`, `#!/bin/sh\necho ${name} "$@" >> ${this.#canary}\ncat\n`, 0o755);
  }

  /** Plants everything that git runs into a repository's own files: `gitDir` is relative to the this.#fixture. */
  plant(gitDir: string, mark: string): void {
    for (const hook of hooks) {
      const hookFile = `#!/bin/sh\necho ${mark} hook ${hook} >> ${this.#canary}\n`;
      this.#fixture.write(`${gitDir}/hooks/${hook}`, hookFile, 0o755);
    }
    const run = this.#trap(mark);
    const settings: readonly (readonly [string, string])[] = [
      ['core.fsmonitor', `${run} fsmonitor`],
      ['core.sshCommand', `${run} ssh`],
      ['core.editor', `${run} editor`],
      ['core.pager', `${run} pager`],
      ['core.askPass', run],
      ['core.alternateRefsCommand', run],
      ['core.gitProxy', run],
      ['diff.external', `${run} external`],
      ['diff.evil.command', `${run} diff`],
      ['diff.evil.textconv', `${run} textconv`],
      ['merge.evil.driver', `${run} driver %A`],
      ['filter.evil.clean', `${run} clean`],
      ['filter.evil.smudge', `${run} smudge`],
      ['filter.evil.required', 'true'],
      ['filter.lfs.process', `${run} lfs`],
      ['filter.lfs.required', 'true'],
      ['commit.gpgSign', 'true'],
      ['gpg.program', run],
      ['credential.helper', `!${run} credential`],
      ['alias.status', `!${run} alias`],
      ['alias.read-tree', `!${run} alias`],
      ['sequence.editor', run],
      ['interactive.diffFilter', run],
      ['remote.origin.url', `ext::${run} ext`],
      ['remote.origin.promisor', 'true'],
      ['extensions.partialClone', 'origin'],
      ['uploadpack.packObjectsHook', run],
      ['gc.auto', '1'],
      ['maintenance.auto', 'true'],
      ['submodule.recurse', 'true'],
      ['core.hooksPath', this.#fixture.path(gitDir, 'hooks')],
      ['core.untrackedCache', 'true'],
      ['core.attributesFile', this.#fixture.path('attrs')],
      ['include.path', this.#fixture.path('included')],
      ['log.showSignature', 'true'],
      // Run from git 2.54 on.
      ...hooks.flatMap((hook): [string, string][] => [
        [`hook.${hook}.event`, hook],
        [`hook.${hook}.command`, `${run} named-${hook}`],
        [`hook.evil-${hook}.event`, hook],
        [`hook.evil-${hook}.command`, `${run} named-evil-${hook}`],
      ]),
    ];
    const config = settings.map(([key, value]) => {
      const [section = '', ...rest] = key.split('.');
      const name = rest.pop();
      const head = rest.length === 0 ? `[${section}]` : `[${section} "${rest.join('.')}"]`;
      return `${head}\n\t${name} = ${JSON.stringify(value)}\n`;
    });
    const before = readFileSync(this.#fixture.path(gitDir, 'config'), 'utf8');
    writeFileSync(this.#fixture.path(gitDir, 'config'), `${before}\n${config.join('')}`);
    this.#fixture.write('attrs', '* filter=evil\n');
    this.#fixture.write('included', `[filter "other"]\n\tclean = ${run} included\n`);
  }

  /** The notes of all that ran; empty if nothing did. */
  ran(): string {
    return existsSync(this.#canary) ? readFileSync(this.#canary, 'utf8') : '';
  }

  /** Begins again, after something that was allowed to run. */
  forget(): void {
    rmSync(this.#canary, { force: true });
  }
}
