import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '#contract/failure.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { isOwnFolder } from './find-program.mjs';

const pageName = /^open-[0-9a-f]{32}\.html$/;
/** A program that waits and then removes the page. Its arguments are harmless and reveal nothing. */
const remover = 'sleep "$1"; rm -f -- "$2"';

/**
 * Writes a page that leads a browser to an address and returns its file: URL, which may be in a command line that
 * everybody on the machine can read. The page itself only its owner can, and it is gone after this many milliseconds,
 * or at the next sweep.
 * @throws FAILED_PRECONDITION when the folder is not the person's own
 */
export function writeSignInPage(folder: string, address: string, goodForMs: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwnFolder(folder)) {
    throw new Failure('FILE_NOT_PRIVATE', `${folder} can be changed by others: make it and those above it yours alone`);
  }
  chmodSync(folder, 0o700);
  sweepSignInPages(folder, Date.now() - goodForMs);
  const path = join(folder, `open-${randomBytes(16).toString('hex')}.html`);
  writePrivateFile(path, pageTo(address));
  const seconds = String(Math.ceil(goodForMs / 1_000));
  const env = { PATH: '/usr/bin:/bin' };
  const child = spawn('/bin/sh', ['-c', remover, 'sh', seconds, path], {
    cwd: '/',
    env,
    stdio: 'ignore',
    detached: true,
  });
  // Then the next sweep removes it.
  child.once('error', () => undefined);
  child.unref();
  return pathToFileURL(path).href;
}

/** Removes the pages that were written before a moment, in milliseconds since 1970. */
export function sweepSignInPages(folder: string, before: number): void {
  for (const name of readdirSync(folder).filter((one) => pageName.test(one))) {
    const path = join(folder, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs <= before) rmSync(path, { force: true });
  }
}

/** It loads and reveals nothing: no script, no frame, no Referer. The link is for a browser that follows no refresh. */
function pageTo(address: string): string {
  const to = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="content-security-policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0;url=${to}">
<title>muster</title>
<p><a rel="noreferrer" href="${to}">Open muster</a></p>
</html>
`;
}
