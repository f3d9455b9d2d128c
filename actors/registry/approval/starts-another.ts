import { posix } from 'node:path';
import { starters } from '#world/shell-command.ts';

/** Words with which programs run a text or another program, load code, or write a file that a rule does not name. */
interface Danger {
  readonly programs: RegExp;
  readonly words: RegExp;
  /** Long options, without their dashes. A last `*` stands for any further characters. */
  readonly options?: readonly string[];
}

const dangers: readonly Danger[] = [
  {
    programs:
      /^(?:python|pypy|perl|ruby|php|lua|luajit|tclsh|r|rscript|osascript|node|nodejs|deno|bun|groovy|elixir|julia|guile|racket|scala|clojure|erl|sbcl|octave|swipl)[\d.]*$/,
    words: /^(?:-|-[a-z]*[ceprxmidlf].*|eval|repl|x|task)$/i,
    options: [
      ...['eval', 'print', 'exec*', 'require', 'import*', 'load*', 'script', 'loader', 'run', 'preload'],
      ...['experimental-*', 'env-file*'],
      ...['test-reporter*', 'test-global-setup', 'openssl-config', 'snapshot-blob', 'define', 'config'],
    ],
  },
  { programs: /^(?:find|fd|fdfind)$/, words: /^-{1,2}(?:exec|ok|delete|fprint|fls|exec-batch|x|X).*$/ },
  {
    programs: /^(?:[gmn]?awk|g?sed|sqlite3?|psql|mysql|mariadb|gcc|g\+\+|cc|clang|uvx|pipx|npx|pnpx|bunx|dc)$/,
    words: /./,
  },
  {
    programs: /^(?:g?tar|bsdtar)$/,
    words: /^-?[A-Za-z]*[IF].*$/,
    options: ['to-command', 'checkpoint*', 'use-*', 'rsh-command', 'info-script', 'new-volume-script'],
  },
  {
    programs: /^(?:rsync|scp|sftp)$/,
    words: /^-[a-zA-Z]*[eoSFDJ].*$/,
    options: ['rsh', 'rsync-path'],
  },
  {
    programs: /^g?make$/,
    words: /^(?:.*=.*|-[a-zA-Z]*[fCIE].*)$/,
    options: ['eval', 'file', 'makefile', 'directory', 'include-dir'],
  },
  {
    programs: /^(?:g?sort|g?split|zip|rg|ag)$/,
    words: /^-[a-zA-Z]*[oOTKe].*$/,
    options: [
      ...['output*', 'compress-program', 'temporary-directory', 'filter', 'unzip-command', 'pre', 'pre-*'],
      ...['pager', 'hostname-bin'],
    ],
  },
  {
    programs: /^curl$/,
    words: /^-[a-zA-Z#]*[oOTKeDc].*$/,
    options: [
      ...['output*', 'config', 'upload-file', 'remote-*', 'dump-header', 'cookie-jar', 'trace*', 'stderr', 'libcurl'],
      ...['etag-save', 'hsts', 'alt-svc', 'engine'],
    ],
  },
  {
    programs: /^wget2?$/,
    words: /^-[a-zA-Z]*[oOTeaP].*$/,
    options: [
      ...['output-*', 'append-output', 'execute', 'config', 'use-askpass', 'directory-prefix', 'save-cookies'],
      ...['hsts-file', 'warc-*', 'rejected-log', 'post-file', 'body-file'],
    ],
  },
  {
    programs: /^(?:npm|pnpm|yarn)$/,
    words: /^(?:exec|x|dlx|create|init|explore|config|set|node|edit|-c|-C)$/,
    options: [
      ...['script-shell', 'node-options', 'call', 'prefix', 'dir', 'cwd', 'userconfig', 'globalconfig', 'config*'],
      ...['git', 'shell', 'editor', 'viewer', 'browser', 'init-module', 'use-yarnrc'],
    ],
  },
  {
    programs: /^go$/,
    words:
      /^(?:run|generate|tool|env|-{1,2}(?:exec|toolexec|overlay|vettool|modfile|outputdir|[a-z]+profile).*|-{1,2}[oC](?:=.*)?)$/,
  },
  { programs: /^cargo$/, words: /^(?:run|r|-C|\+.*)$/, options: ['config', 'manifest-path', 'path'] },
  {
    programs:
      /^(?:uv|poetry|pipenv|pdm|hatch|rye|bundle|conda|mamba|pixi|mise|asdf|direnv|nix|rustup|volta|fnm|bazel|op|doppler|aws-vault|gh)$/,
    words: /^(?:run|exec|x|tool|shell|develop|alias|extension|-c)$/,
    options: ['command'],
  },
];

/** Subcommands of git that run no text and no other program that its arguments name. An alias may be anything. */
const gitCommands: ReadonlySet<string> = new Set([
  ...['add', 'am', 'apply', 'archive', 'blame', 'branch', 'cat-file', 'checkout', 'cherry-pick', 'clean', 'clone'],
  ...['commit', 'count-objects', 'describe', 'diff', 'diff-files', 'diff-index', 'diff-tree', 'fetch', 'for-each-ref'],
  ...['format-patch', 'fsck', 'gc', 'grep', 'init', 'log', 'ls-files', 'ls-remote', 'ls-tree', 'merge', 'merge-base'],
  ...['mv', 'name-rev', 'notes', 'pull', 'push', 'range-diff', 'rebase', 'reflog', 'remote', 'reset', 'restore'],
  ...['rev-list', 'rev-parse', 'revert', 'rm', 'shortlog', 'show', 'show-ref', 'stash', 'status', 'switch', 'tag'],
  ...['version', 'whatchanged', 'worktree'],
]);
/** Options of git that run a program or write a file, which may be abbreviated. */
const gitOptions = [
  ...['config', 'config-env', 'exec', 'exec-path', 'ext-diff', 'extcmd', 'git-dir', 'open-files-in-pager', 'output'],
  ...['output-directory', 'receive-pack', 'template', 'textconv', 'upload-pack', 'work-tree'],
];
/** The same of single subcommands. */
const gitWords: Readonly<Record<string, RegExp>> = {
  bisect: /^(?:run|visualize|view)$/,
  clone: /^-[a-zA-Z]*[cu]/,
  'format-patch': /^-[a-zA-Z]*o/,
  archive: /^-[a-zA-Z]*o/,
  grep: /^-[a-zA-Z]*O/,
  rebase: /^-[a-zA-Z]*x/,
  submodule: /^foreach$/,
};

/** Whether a program only starts another one, so that its words do not show what runs. */
export function startsAnother(program: string): boolean {
  return starters.has(nameOf(program));
}

/**
 * Whether a word that a rule does not spell out makes a command run something else than what the rule names. `at` is its
 * place in the command.
 */
export function isDangerous([program = '', ...more]: readonly string[], at: number): boolean {
  const name = nameOf(program);
  const word = more[at - 1] ?? '';
  if (name === 'git')
    return isDangerousToGit(
      more.find((one) => gitCommands.has(one) || Object.hasOwn(gitWords, one)),
      word,
      at,
    );
  return dangers.some(
    ({ programs, words, options = [] }) => programs.test(name) && (words.test(word) || isOption(word, options)),
  );
}

/** Whether a word is one of these long options, which may be abbreviated. */
function isOption(word: string, options: readonly string[]): boolean {
  const name = /^--([^=]+)/.exec(word)?.[1];
  if (name === undefined) return false;
  return options.some((option) => {
    const [stem = '', rest] = option.split('*');
    return stem.startsWith(name) || (rest !== undefined && name.startsWith(stem));
  });
}

function isDangerousToGit(subcommand = '', word: string, at: number): boolean {
  if (at === 1) return !gitCommands.has(word);
  // A remote may name a program.
  if (isOption(word, gitOptions) || /^(?:ext|fd)::/.test(word)) return true;
  return gitWords[subcommand]?.test(word) ?? false;
}

/** A file system may ignore the case of names. */
function nameOf(program: string): string {
  return posix.basename(program).toLowerCase();
}
