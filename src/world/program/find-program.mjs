import { accessSync, constants, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';

const byGroup = 0o020;
const byOthers = 0o002;
const sticky = 0o1000;
/** The maximum number of links in a path. */
const maxLinks = 40;
/** Groups whose members may act as root where programs are: Debian's for /usr/local, and macOS's administrators. */
const stewards = process.platform === 'darwin' ? 'admin' : 'staff';

/**
 * Whether only root and the person can change the content of a folder and where its path leads. A group without other
 * members counts as the person.
 */
export function isOwnFolder(folder) {
  try {
    return isOwn(resolve(folder), maxLinks) && isClosed(statSync(folder));
  } catch {
    return false;
  }
}

/**
 * The absolute path of a program on a PATH, or of one that is named by its path; undefined if there is none. Skips
 * folders that are not absolute, and programs that others than root and the person could have put there.
 */
export function findProgram(command, path = process.env.PATH ?? '') {
  if (isAbsolute(command)) return isProgram(command) ? command : undefined;
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, command))
    .find((file) => isProgram(file) && isOwnFolder(dirname(file)) && isOwnFile(file));
}

function isOwnFile(file) {
  try {
    return isOwn(file, maxLinks) && isOwnFolder(dirname(realpathSync(file))) && isClosed(statSync(file));
  } catch {
    return false;
  }
}

/**
 * Every folder and link on the way must belong to root or the person. A folder in which others may write must have the
 * sticky bit, as /tmp has.
 */
function isOwn(path, links) {
  const parent = dirname(path);
  if (parent !== path && !isOwn(parent, links)) return false;
  const found = lstatSync(path);
  if (![0, process.getuid?.(), statSync('/').uid].includes(found.uid)) return false;
  if (!found.isSymbolicLink()) return isClosed(found) || (found.mode & sticky) !== 0;
  return links > 0 && isOwn(resolve(realpathSync(parent), readlinkSync(path)), links - 1);
}

function isClosed({ mode, gid }) {
  return (mode & byOthers) === 0 && ((mode & byGroup) === 0 || isOwnGroup(gid));
}

function isOwnGroup(gid) {
  if (gid === 0) return true;
  const entries = (file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  const group = entries('/etc/group').find(([, , id]) => Number(id) === gid);
  if (group === undefined) return false;
  const [name, , , members = ''] = group;
  if (name === stewards) return true;
  // macOS keeps its users elsewhere.
  if (process.platform === 'darwin') return false;
  const primary = entries('/etc/passwd').filter(([, , , id]) => Number(id) === gid);
  const people = [...members.split(',').filter(Boolean), ...primary.map(([person]) => person)];
  const self = ['root', userInfo().username];
  return people.every((person) => self.includes(person));
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
