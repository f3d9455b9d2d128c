import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** What muster and npm put into their own environment and no agent may inherit. */
const own = /^(?:MUSTER_|SERVICE_|npm_|NODE_OPTIONS$|NODE_CHANNEL_|INIT_CWD$|TMUX|TERM_PROGRAM|COLUMNS$|LINES$)/;

/**
 * The environment that terminals, agents and scripts start from: the person's own, without what muster and npm added,
 * and with the folder that holds `muster` first on the PATH. The terminal that it tells of is the pane, whichever one
 * muster was started in: CLIs draw other frames where they are told of fewer colours.
 */
export function baseEnvironment(env: NodeJS.ProcessEnv, binFolder: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !own.test(entry[0]),
  );
  const path = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin|node-gyp-bin/.test(folder));
  const terminal = { TERM: 'screen-256color', COLORTERM: 'truecolor' };
  return { ...Object.fromEntries(kept), ...terminal, PATH: [binFolder, ...path].join(delimiter) };
}

/** The absolute path of a program on a PATH, or of one that is named by its path; undefined where there is none. */
export function findProgram(command: string, path: string): string | undefined {
  if (isAbsolute(command)) return isProgram(command) ? command : undefined;
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, command))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
