import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'node_modules', '.bin');
const stampName = 'proto.sha256';

/**
 * Generates the page's client from a folder of proto files with buf and protoc-gen-es. Does nothing if the client was
 * made from the same files.
 */
export function writePageClient(proto: string, client: string): void {
  const wanted = `${digestOf(proto)}\n`;
  const stamp = join(client, stampName);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(client, { recursive: true, force: true });
  const opt = ['target=js+dts', 'import_extension=js'];
  // The plugin runs once, not once for each package.
  const plugin = { local: join(bin, 'protoc-gen-es'), out: client, opt, strategy: 'all' };
  execFileSync(join(bin, 'buf'), [
    'generate',
    proto,
    '--template',
    JSON.stringify({ version: 'v2', plugins: [plugin] }),
  ]);
  writeFileSync(stamp, wanted);
}

/** A digest of all proto files in a folder, including comments, which the client contains too. */
function digestOf(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.proto'));
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(`${path}\n`).update(readFileSync(join(folder, path)));
  return hash.digest('hex');
}
