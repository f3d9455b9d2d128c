import { type Command, forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';

/** A simple command: its words, as the shell passes them to the program. */
export type CommandWords = readonly [program: string, ...more: string[]];

/** The characters of a word that no shell treats specially, wherever they are in it. */
const plainWord = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/;
/** How much text is parsed at most, in characters. */
const longest = 8_192;

/**
 * The words of a text that is one simple command and nothing else: no operator, redirection, assignment, substitution,
 * expansion, comment or second line, and only printable ASCII. Undefined otherwise.
 */
export function simpleCommand(text: string): CommandWords | undefined {
  if (text.length > longest || !/^[\x20-\x7e]+$/.test(text)) return undefined;
  const script = parse(text);
  const [statement, ...others] = script.commands;
  if (statement === undefined || others.length > 0 || (script.errors?.length ?? 0) > 0) return undefined;
  const { command, background } = statement;
  if (background || command.type !== 'Command' || command.name === undefined || command.prefix.length > 0)
    return undefined;
  const words: Word[] = [command.name];
  for (const part of command.suffix) {
    if (part.type !== 'Word') return undefined;
    words.push(part);
  }
  // The parser leaves out comments and a last operator, so nothing but blanks may be between the words.
  if (hasRest(text, words)) return undefined;
  const [program, ...more] = words.map((one) => literal(one));
  if (program === undefined || program === '') return undefined;
  const known = more.filter((one) => one !== undefined);
  return known.length === more.length ? [program, ...known] : undefined;
}

function hasRest(text: string, words: readonly Word[]): boolean {
  let rest = text;
  for (const { pos, end } of words) rest = rest.slice(0, pos) + ' '.repeat(end - pos) + rest.slice(end);
  return rest.trim() !== '';
}

/** The value of a word without expansions; undefined if the shell may change it. */
function literal({ text, value, parts }: Word): string | undefined {
  if (parts === undefined) return plainWord.test(text) ? value : undefined;
  return parts.every(isLiteral) ? value : undefined;
}

function isLiteral(part: WordPart): boolean {
  if (part.type === 'Literal') return plainWord.test(part.text);
  // In quotes, fish and csh take a backslash or an exclamation mark for another thing than bash does.
  if (/[\\!]/.test(part.text)) return false;
  if (part.type === 'SingleQuoted') return true;
  return part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal');
}

/** Programs that only start another one. */
export const starters: ReadonlySet<string> = new Set([
  ...['sudo', 'doas', 'env', 'command', 'builtin', 'exec', 'eval', 'nohup', 'nice', 'ionice', 'time', 'timeout', 'su'],
  ...['setsid', 'stdbuf', 'xargs', 'watch', 'ssh', 'script', 'unshare', 'chroot', 'busybox', 'toybox', 'parallel'],
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'fish', 'ash', 'csh', 'tcsh', 'pwsh', 'powershell', 'nu', 'cmd'],
  ...[
    'source',
    '.',
    'trap',
    'alias',
    'coproc',
    'fg',
    'bg',
    'hash',
    'enable',
    'bind',
    'complete',
    'noglob',
    'nocorrect',
  ],
  ...[
    'flock',
    'chrt',
    'taskset',
    'setarch',
    'runuser',
    'pkexec',
    'gosu',
    'strace',
    'ltrace',
    'gdb',
    'lldb',
    'valgrind',
  ],
  ...['expect', 'tmux', 'screen', 'docker', 'podman', 'kubectl', 'nsenter', 'bwrap', 'firejail', 'fakeroot', 'proot'],
  ...[
    'entr',
    'watchexec',
    'crontab',
    'at',
    'batch',
    'systemd-run',
    'start-stop-daemon',
    'dbus-run-session',
    'socat',
    'nc',
  ],
  ...[
    'vi',
    'vim',
    'nvim',
    'ex',
    'ed',
    'emacs',
    'nano',
    'less',
    'more',
    'man',
    'open',
    'xdg-open',
    'caffeinate',
    'arch',
  ],
  ...['setpriv', 'prlimit', 'numactl', 'perf', 'hyperfine', 'unbuffer', 'chronic', 'rlwrap', 'torsocks', 'torify'],
  ...['proxychains', 'proxychains4', 'xvfb-run', 'faketime', 'cpulimit', 'cgexec', 'sg', 'newgrp', 'capsh', 'tini'],
  ...['dumb-init', 'catchsegv', 'fakechroot', 'linux32', 'linux64', 'chpst', 'envdir', 'daemon', 'daemonize', 'nsjail'],
  ...[
    'apptainer',
    'singularity',
    'nerdctl',
    'lxc-attach',
    'machinectl',
    'gtimeout',
    'gnice',
    'gnohup',
    'genv',
    'gxargs',
  ],
]);
/** Programs that start others with some of their words. */
const finders: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind']);

/** How deep commands are searched in what is passed to shells. */
const deepest = 4;

/**
 * Every command in a text, however deep: in lists, pipelines and substitutions, and in what is passed to a shell. Each as
 * its words, joined by spaces, also without what only starts it, such as `sudo` or `env A=1`.
 */
export function commandsWithin(text: string, depth = 0): readonly string[] {
  if (text.length > longest || depth > deepest) return [];
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') found.push(...startedBy(node, depth));
    forEachChild(node, visit);
  };
  visit(parse(text));
  return [...new Set(found)];
}

function startedBy({ name, suffix }: Command, depth: number): string[] {
  const words = [name, ...suffix].flatMap((part) => (part?.type === 'Word' ? [part.value] : []));
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const program = (words[at] ?? '').replace(/^.*\//, '');
    found.push([program, ...words.slice(at + 1)].join(' '));
    if (at === 0 && !starters.has(program) && !finders.has(program)) break;
    if (at > 0) found.push(...commandsWithin(words[at] ?? '', depth + 1));
  }
  return found;
}
