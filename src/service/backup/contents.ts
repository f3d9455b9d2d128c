import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from '#world/file/files-in.ts';

/** The database's name in a backup: always SQLite, whichever database the installation has. */
export const databaseEntry = 'muster.db';

/** Files of a state folder that make an installation, beside its database. */
const files = ['operator.token', 'forge.key', 'installation.id', 'host.id', 'host.key'];

/** Folders of it whose files do. */
const folders = ['rules', 'briefings'];

/** A name that stays within its folder. */
const plainName = /^(?!\.{1,2}$)[\w.-]{1,255}$/;

/** What a state folder holds of an installation beside its database, by names relative to it. */
export function contentsOf(home: string): readonly string[] {
  const all = [
    ...files,
    ...folders.flatMap((folder) => filesIn(join(home, folder)).map((name) => `${folder}/${name}`)),
  ];
  return all.filter((name) => isContent(name) && isRegular(join(home, name)));
}

/** Whether a backup may hold a file of this name: whatever else is in one is written nowhere. */
export function isContent(name: string): boolean {
  if (name === databaseEntry || files.includes(name)) return true;
  const [folder = '', file = '', ...more] = name.split('/');
  return more.length === 0 && folders.includes(folder) && plainName.test(file);
}

function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
