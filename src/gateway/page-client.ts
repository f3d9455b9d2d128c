import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const bin = join(root, 'node_modules', '.bin');
const stampName = 'image.sha256';

/**
 * Generates the page's client of the operations, by buf and protoc-gen-es as anybody would, from the proto files of a folder
 * into another one; nothing is done where it was made of the same image.
 */
export function writePageClient(proto: string, image: string, client: string): void {
  const wanted = `${createHash('sha256').update(image).digest('hex')}\n`;
  const stamp = join(client, stampName);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(client, { recursive: true, force: true });
  const plugin = { local: join(bin, 'protoc-gen-es'), out: client, opt: ['target=js+dts', 'import_extension=js'] };
  execFileSync(join(bin, 'buf'), [
    'generate',
    proto,
    '--template',
    JSON.stringify({ version: 'v2', plugins: [plugin] }),
  ]);
  writeFileSync(stamp, wanted);
}
