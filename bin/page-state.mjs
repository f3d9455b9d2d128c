// The sources of the page, and whether the built page is up to date. It imports only Node's own modules.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const sources = ['src/page', 'src/contract', 'bin/page.mjs', 'package-lock.json'];

/**
 * The folder of the built page, the hash of the current sources, and whether the page was built from them. Without
 * sources it counts as built.
 */
export function pageState() {
  const place = join(root, 'dist', 'page');
  const stampName = 'sources.sha256';
  const wanted = hashOf(sources);
  const isBuilt = !existsSync(join(root, 'src', 'page')) || readIfThere(join(place, stampName)) === wanted;
  return { place, stampName, wanted, isBuilt };
}

/** One hash of the names and contents of files and folders. */
function hashOf(paths) {
  const hash = createHash('sha256');
  const take = (path) => {
    const file = join(root, path);
    const names = namesIn(file);
    if (names === undefined)
      hash
        .update(`${path}\0`)
        .update(readIfThere(file) ?? '')
        .update('\0');
    else for (const name of names) take(`${path}/${name}`);
  };
  paths.forEach(take);
  return hash.digest('hex');
}

/** The names in a folder, sorted; undefined if it is not a folder. */
function namesIn(path) {
  try {
    return readdirSync(path).sort();
  } catch {
    return undefined;
  }
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
