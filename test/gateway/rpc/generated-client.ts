import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DescService } from '@bufbuild/protobuf';

const root = join(import.meta.dirname, '..', '..', '..');
const bin = join(root, 'node_modules', '.bin');

/** Services by name, such as `AgentService`, as code that was generated from the committed proto files. */
export type GeneratedServices = Readonly<Record<string, DescService>>;

/** Generates a client's code as third parties do, by `buf generate` and protoc-gen-es, into a folder, and loads it. */
export async function generateServices(folder: string, files: readonly string[]): Promise<GeneratedServices> {
  const plugin = { local: join(bin, 'protoc-gen-es'), out: folder, opt: ['target=js', 'import_extension=js'] };
  const template = JSON.stringify({ version: 'v2', plugins: [plugin] });
  execFileSync(join(bin, 'buf'), ['generate', join(root, 'proto'), '--template', template]);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const modules = files.map((file) => import(pathToFileURL(join(folder, `${file}_pb.js`)).href));
  const exported = Object.assign({}, ...(await Promise.all(modules))) as Record<string, DescService | undefined>;
  const services = Object.entries(exported).filter(([, one]) => one?.kind === 'service');
  return Object.fromEntries(services) as GeneratedServices;
}
