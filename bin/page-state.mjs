// What the page is made of, and whether what was built of it is still good. With Node's own modules only.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const sources = ['src/page', 'src/contract', 'bin/page.mjs', 'package-lock.json'];

/**
 * The state of the page, what it must have been made of, and whether it was. If there are no sources there is nothing
 * to build.
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

/** The names in a folder in order; undefined for whatever is not a folder. */
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
