import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machinePage } from './machine-page.ts';
import { referencePage } from './reference-page.ts';

/** The pages that are made from the code, by their path in the repository. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/machines.md': machinePage,
  'docs/reference.md': referencePage,
};

if (import.meta.main) {
  for (const [path, page] of Object.entries(pages)) {
    writeFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), page());
  }
}
