import { secretRanges } from '#world/secret-format.ts';

/**
 * A line with those that continue it, and the comment at its end. A comment is not continued, and none begins in quotes.
 * Each kind of part begins with another character, so that no text takes long.
 */
const lines = /((?:"(?:\\[\s\S]?|[^"\\\n])*"?|\\[\s\S]?|[^"\\#;\n])*)([#;][^\n]*)?(\n|$)/g;
/** The names of sections at the start of a line. */
const header = /^(?:\s*\[(?:"(?:\\.|[^"\\\n])*"|[^"\]\n])*\])+/;
/** An address with a password or a token before its host; `git@` and other short names are none. */
const addressWithSecret = /:\/\/(?:[^\s:"]*:[^\s"]+|[^/\s@":]{20,})@/;
/** Names of settings with a secret, such as `github.token`, `imap.pass` and `http.extraHeader`. */
const secretName = /^\s*(?:[\w-]*(?:token|pass|password|passwd|passphrase|secret|apikey|api-key)|extraHeader)\s*=/i;
/** A proxy without a scheme may have a password too. */
const proxyWithSecret = /^\s*proxy\s*=[^:]*:.*@/i;
/** Words for secrets in commands, and the value of a variable, which is elsewhere. */
const words = '(?:password|passwd|passphrase|token|secret|api[-_]?key|authorization|extraheader)';
const variable = '["\'\\\\\\s]*\\$(?:\\w+|\\{\\w+\\})(?:["\'\\\\;\\s)}]|$)';
/** A secret in the command of a helper or an alias, such as `echo password=…` and `--token …`. */
const secretInCommand = new RegExp(
  `(?:${words}\\s*[=:]|(?<![\\w-])--?[\\w-]*${words}\\s+(?![|&;]))(?!${variable})`,
  'i',
);

/**
 * A person's settings of git without passwords, tokens and comments, which may hold them: who commits, aliases, helpers and
 * everything else stay.
 */
export function settingsWithoutSecrets(text: string): string {
  let isSecretSection = false;
  const kept = [...text.matchAll(lines)].map(([, line = '', comment = '', end = '']) => {
    const [head = ''] = header.exec(line) ?? [];
    if (head !== '') isSecretSection = isSecret(head);
    if (isSecretSection) return '';
    const setting = line.slice(head.length);
    if (isSecretSetting(setting)) return head === '' ? '' : `${head}\n`;
    return comment === '' ? line + end : withoutComment(line, end);
  });
  return kept.join('');
}

const withoutComment = (line: string, end: string): string => (line.trim() === '' ? '' : `${line.trimEnd()}${end}`);

function isSecretSetting(setting: string): boolean {
  const [, value = ''] = /=([\s\S]*)/.exec(setting) ?? [];
  return secretName.test(setting) || proxyWithSecret.test(setting) || secretInCommand.test(value) || isSecret(setting);
}

function isSecret(text: string): boolean {
  return addressWithSecret.test(text) || secretRanges(text).length > 0;
}
