import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { operationsFile } from '#cli/rpc/listing.ts';
import { machinePage } from './machine-page.ts';
import { referencePage } from './reference-page.ts';

/** The files that are made from the code, by their path in the repository. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/machines.md': machinePage,
  'docs/reference.md': referencePage,
  'src/cli/rpc/operations.json': operationsFile,
};

if (import.meta.main) {
  for (const [path, page] of Object.entries(pages)) {
    writeFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), page());
  }
}
