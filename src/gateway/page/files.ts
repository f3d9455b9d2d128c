import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/**
 * The placeholder in the page's HTML for the nonces of an answer: that of its styles, and that of the page's first
 * proof.
 */
const noncePlace = 'MUSTER_NONCE';
const proofPlace = 'MUSTER_PROOF';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
};

/** One file of the page, in every compression that is served. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** The built page. It is read once, so that a request selects a known file and never a path on the disk. */
export interface PageFiles {
  /** The HTML with the nonces of an answer. */
  html(nonce: string, proofNonce: string): string;
  /** The file with a name, which contains a hash of its content; undefined for any other name. */
  asset(name: string): PageFile | undefined;
}

/** Reads the built page from a folder; undefined if there is none. */
export function readPage(folder: string): PageFiles | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const html = readFileSync(index, 'utf8');
  const assets = readAssets(join(folder, 'assets'));
  return {
    html: (nonce, proofNonce) => html.replaceAll(noncePlace, nonce).replaceAll(proofPlace, proofNonce),
    asset: (name) => assets.get(name),
  };
}

function readAssets(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const formOf = (ending: string) =>
      names.includes(`${name}${ending}`) ? readFileSync(join(folder, `${name}${ending}`)) : undefined;
    files.set(name, { type, plain: readFileSync(join(folder, name)), br: formOf('.br'), gzip: formOf('.gz') });
  }
  return files;
}
