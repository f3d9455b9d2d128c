import { type Dialog, isUncut, onlyBoxed, type Subject, textsOf, unknownSubject } from './dialog.ts';

/** Reads what the dialog of one CLI is about. */
export type SubjectReader = (dialog: Dialog) => Subject;

/** The tool that a heading names. */
function toolNamed(heading: string): string {
  if (/^(?:bash|shell|powershell)\b/i.test(heading)) return 'shell';
  if (/^(?:edit|write|create|overwrite|update|writefile|delete)\b/i.test(heading)) return 'write';
  if (/^(?:read|readfile|readfolder|search|glob|grep)\b/i.test(heading)) return 'read';
  return /^(?:fetch|webfetch)\b/i.test(heading) ? 'fetch' : 'other';
}

/** The host of the only web address in rows; undefined if there is none, or more. */
function hostIn(texts: readonly string[]): string | undefined {
  const addresses = texts.filter((text) => /^https?:\/\/\S+$/i.test(text));
  const [only] = addresses;
  return addresses.length === 1 && only !== undefined ? hostOf(only) : undefined;
}

/** The host of an address. Undefined if programs may read another host in it. */
function hostOf(address: string): string | undefined {
  if (/[\\@\s]/.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** The subject of one row, which is a command, a file or an address, according to the tool. */
function ofRow(tool: string, row: string | undefined, { room, question }: Dialog, isAlone: boolean): Subject {
  if (row === undefined) return { tool, whole: false };
  const said = row.trim();
  const whole = isAlone && question >= 0 && isUncut(row, room);
  if (tool === 'shell') return { tool, command: said, whole };
  if (tool === 'write' || tool === 'read') return { tool, path: said, whole };
  if (tool !== 'fetch') return { tool, whole: false };
  const host = hostOf(said);
  return host === undefined ? { tool, whole: false } : { tool, host, whole };
}

/**
 * Claude Code: its heading, then a command between two dotted rules at the very edge, where no row of a command can be,
 * or else nothing but the command; of a file, its path above them.
 */
export const claudeSubject: SubjectReader = (dialog) => {
  const { body, question } = dialog;
  const rows = body.slice(0, question < 0 ? undefined : question);
  const heading = rows[0] ?? '';
  if (!/^ ?\S/.test(heading)) return unknownSubject;
  const tool = toolNamed(heading.trim());
  const rules = rows.flatMap((row, at) => (/^╌{8,}$/u.test(row) ? [at] : []));
  const [top = 0, bottom = 0, ...more] = rules;
  const isShell = tool === 'shell';
  if (rules.length > 0) {
    if (bottom !== rows.findLastIndex((row) => row.trim() !== '') || more.length > 0) return { tool, whole: false };
    const found = isShell ? rows.slice(top + 1, bottom) : rows.slice(1, top).filter((row) => row.trim() !== '');
    return ofRow(tool, found[0], dialog, found.length === 1);
  }
  const found = rows.slice(1).filter((row) => row.trim() !== '');
  return ofRow(tool, found[0], dialog, found.length === 1);
};

/** Codex: the command behind the only `$` at its place, as the last row above the choices, or the only destination. */
export const codexSubject: SubjectReader = ({ body, room }) => {
  const said = body.filter((row) => row.trim() !== '');
  const [heading = ''] = said;
  const last = said.at(-1) ?? '';
  if (/^ {2}Would you like to run the following command\?$/.test(heading)) {
    const commands = said.filter((row) => /^ {2}\$ /.test(row));
    const whole = commands.length === 1 && commands[0] === last && isUncut(last, room);
    const command = (commands.at(-1) ?? '').trim().slice(2);
    return command === '' ? { tool: 'shell', whole: false } : { tool: 'shell', command, whole };
  }
  if (!/^ {2}Would you like to make the following edits\?$/.test(heading)) return unknownSubject;
  const files = said.filter((row) => /^ {2}Destination: \S/.test(row));
  const path = /^ {2}Destination: (\S.*)$/.exec(last)?.[1];
  if (path === undefined) return { tool: 'write', whole: false };
  return { tool: 'write', path, whole: files.length === 1 && isUncut(last, room) };
};

/** Gemini CLI: `? Shell  COMMAND`, and the same command alone in a box of its own. */
export const geminiSubject: SubjectReader = (dialog) => {
  const { body, question } = dialog;
  const heading = /^\? (\S+) {1,2}(\S.*)$/.exec(body[0] ?? '');
  const [, name = '', rest = ''] = heading ?? [];
  const tool = toolNamed(name);
  if (tool === 'shell') {
    const command = onlyBoxed(body.slice(1, question));
    const isSaid = command !== undefined && rest.trim().startsWith(command.trim());
    return ofRow(tool, command, dialog, isSaid);
  }
  return ofRow(tool, /^Writing to (\S.*)$/.exec(rest)?.[1], dialog, isUncut(body[0] ?? '', dialog.room));
};

/** Qwen Code: `? Shell COMMAND (…) ←`, and the same command alone, further to the right. */
export const qwenSubject: SubjectReader = (dialog) => {
  const { body, question } = dialog;
  const bare = body.map((row) => row.replace(/ +[│█▄▀]$/u, ''));
  const [, name = '', rest = ''] = /^ {1,3}\? (\S+) (\S.*?)(?: ←)?$/u.exec(bare[0] ?? '') ?? [];
  const tool = toolNamed(name);
  if (tool === 'shell') {
    const rows = bare.slice(1, question).filter((row) => row.trim() !== '');
    const isSaid = rows.length === 1 && /^ {5}\S/.test(rows[0] ?? '') && rest.startsWith((rows[0] ?? '').trim());
    return ofRow(tool, rows[0], dialog, isSaid);
  }
  return ofRow(tool, /^Writing to (\S.*)$/.exec(rest)?.[1], dialog, isUncut(bare[0] ?? '', dialog.room));
};

/** GitHub Copilot: a title, one rule, the command alone in its box or row, and the question: nothing else. */
export const copilotSubject: SubjectReader = (dialog) => {
  const { body, question } = dialog;
  const [title = '', rule = '', ...rows] = body.slice(0, Math.max(0, question));
  const asked = (body[question] ?? '').trim();
  const isRuled = title.trim() !== '' && /^─+$/u.test(rule.trim());
  if (asked === 'Do you want to run this command?') {
    const alone = rows.at(-1)?.trim() === '' ? rows.slice(0, -1) : rows;
    const command = alone.length === 1 ? alone[0] : onlyBoxed(alone);
    return ofRow('shell', command ?? textsOf(alone)[0], dialog, isRuled && command !== undefined);
  }
  const path = /^Do you want to (?:create|edit|write|overwrite|update|delete) (\/\S.*)\?$/.exec(asked)?.[1];
  if (path !== undefined) return ofRow('write', path, dialog, isRuled && isUncut(asked, dialog.room));
  const host = hostIn(textsOf(rows));
  return host === undefined ? unknownSubject : { tool: 'fetch', host, whole: false };
};
