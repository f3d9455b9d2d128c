import { type Mount, shownAt } from './mount.ts';

/** Where systems keep what programs must know of a kind of terminal. */
const folders = ['/lib/terminfo', '/usr/share/terminfo'];

/** Where a container shows those of its host, beside those of its image. */
const place = '/run/muster-terminfo';

/** The host's descriptions of terminals, because images often lack those of tmux: a shell then shows only one line. */
export function terminalMounts(): Mount[] {
  return folders.flatMap((folder, index) =>
    shownAt(folder, 'read').map((mount) => ({ ...mount, at: `${place}/${index}` })),
  );
}

/** The variable by which programs find them: the image's own come last. */
export function terminalVariables(): Record<string, string> {
  const shown = terminalMounts().map(({ at }) => at);
  return shown.length === 0 ? {} : { TERMINFO_DIRS: `${shown.join(':')}:` };
}
