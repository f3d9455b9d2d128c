// `npm run proto`: writes proto/, or the given folder, from the table of operations, and then the generated parts of the
// page and of clients/. It does not write a contract that breaks clients of the existing one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { declaredTypes } from '#contract/parse/declared-type.ts';
import { operations, resources } from '#contract/table.ts';
import { writePageClient } from '#gateway/page-client.ts';
import { writePythonClient } from '#gateway/python-client.ts';
import { describeTable } from './descriptors.ts';
import { protoImage } from './proto-image.ts';
import { protoTexts } from './proto-text.ts';
import { typescriptReasons } from './typescript-reasons.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const own = join(root, 'proto');
const folder = resolve(process.argv[2] ?? own);
const committed = join(folder, 'image.json');

const registry = describeTable(operations, resources);
const image = protoImage(registry);
if (existsSync(committed) && isBroken()) {
  process.stderr.write(
    'Nothing was written: clients of the committed contract would break, as said above. Add new fields instead, with\n' +
      'new numbers. To change what never left this branch, first restore proto/image.json from where the branch began.\n',
  );
  process.exitCode = 1;
} else {
  rmSync(folder, { recursive: true, force: true });
  const types = declaredTypes(operations, resources);
  writeAll(folder, [...protoTexts(registry, operations, types), ['image.json', image]]);
  if (folder === own) {
    writePageClient(own, join(root, 'src', 'page', 'client'));
    writeFileSync(join(root, 'clients', 'typescript', 'src', 'reason.ts'), typescriptReasons());
    writePythonClient(own, join(root, 'clients', 'python', 'muster_fleet', 'api'));
  }
}

function writeAll(at: string, texts: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of texts) {
    const file = join(at, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Whether the new contract breaks clients of the committed one. buf prints what does on standard error. */
function isBroken(): boolean {
  try {
    execFileSync(join(root, 'node_modules', '.bin', 'buf'), ['breaking', '-#format=json', '--against', committed], {
      input: image,
      stdio: ['pipe', 2, 2],
    });
    return false;
  } catch {
    return true;
  }
}
