import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '#world/file/files-in.ts';

/** The name of the database in a backup: always SQLite, whatever database the installation has. */
export const databaseEntry = 'muster.db';

/** The files of an installation in its state folder, besides the database. */
const files = ['operator.token', 'forge.key', 'installation.id', 'host.id', 'host.key', 'bus.keys', 'bus-revoked.json'];

/** The folders whose files belong to the installation. */
const folders = ['rules', 'briefings', 'tls'];

/** A plain file name, which cannot lead out of its folder. */
const plainName = /^(?!\.{1,2}$)[\w.-]{1,255}$/;

/** The files of an installation in a state folder, besides the database, relative to the folder. */
export function contentsOf(home: string): readonly string[] {
  const all = [
    ...files,
    ...folders.flatMap((folder) => filesIn(join(home, folder)).map((name) => `${folder}/${name}`)),
  ];
  return all.filter((name) => isContent(name) && isRegular(join(home, name)));
}

/** Whether a backup may contain a file of this name. Other files are never written. */
export function isContent(name: string): boolean {
  if (name === databaseEntry || files.includes(name)) return true;
  const [folder = '', file = '', ...more] = name.split('/');
  return more.length === 0 && folders.includes(folder) && plainName.test(file);
}

function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
