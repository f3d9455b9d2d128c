import { secretRanges } from '#world/secret-format.ts';

/** A line with those that continue it. */
const lines = /(?:\\\r?\n|[^\n])*\n|(?:\\\r?\n|[^\n])+$/g;
const header = /^\s*\[[^\]\n]*\]/;
/** An address with a password or a token before its host; `git@` and other short names are none. */
const addressWithSecret = /:\/\/(?:[^/\s@"]*:[^/\s@"]+|[^/\s@":]{20,})@/;
/** Names of settings with a secret, such as `github.token`, `sendemail.smtpPass` and `http.extraHeader`. */
const secretName = /^\s*(?:[\w-]*(?:token|password|passwd|secret|apikey)|smtpPass|extraHeader)\s*=/i;

/** A person's settings of git without passwords and tokens: who commits, aliases, helpers and everything else stay. */
export function settingsWithoutSecrets(text: string): string {
  let isSecretSection = false;
  const kept = (text.match(lines) ?? []).map((line) => {
    const [head = ''] = header.exec(line) ?? [];
    if (head !== '') isSecretSection = isSecret(head);
    if (isSecretSection) return '';
    const setting = line.slice(head.length);
    if (!secretName.test(setting) && !isSecret(setting)) return line;
    return head === '' ? '' : `${head}\n`;
  });
  return kept.join('');
}

function isSecret(text: string): boolean {
  return addressWithSecret.test(text) || secretRanges(text).length > 0;
}
