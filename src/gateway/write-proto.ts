import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operations, resources } from '#contract/table.ts';
import { describeTable } from './descriptors.ts';
import { protoTexts } from './proto-text.ts';

const folder = join(import.meta.dirname, '..', '..', 'proto');

rmSync(folder, { recursive: true, force: true });
for (const [path, text] of protoTexts(describeTable(operations, resources), operations)) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
