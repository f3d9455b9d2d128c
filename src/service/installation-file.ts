import { join } from 'node:path';
import type { OwnInstallation } from '#contract/process-context.ts';
import { readPrivateFile, writePrivateFile } from '#world/file/private-file.ts';

/** How long the file's content is cached, in milliseconds. */
const goodFor = 1_000;

/** The installation of a state folder. It is kept in a file, because a host or a gateway may be on another computer. */
export function ownInstallation(home: string): OwnInstallation {
  const file = join(home, 'installation.id');
  let read: { readonly at: number; readonly id: string | undefined } | undefined;
  return {
    id() {
      const now = performance.now();
      if (read === undefined || now - read.at > goodFor)
        read = { at: now, id: readPrivateFile(file)?.trim() || undefined };
      return read.id;
    },
    keep(id) {
      if (readPrivateFile(file)?.trim() !== id) writePrivateFile(file, `${id}\n`);
      read = { at: performance.now(), id };
    },
  };
}
