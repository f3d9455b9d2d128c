import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationsFile } from '#cli/rpc/listing.ts';
import { machineNames } from '#machines/chart/definitions.ts';
import { chartFile, isLaidOut, layOut } from './chart-layout.ts';
import { machinePage } from './machine-page.ts';
import { pullRequestPage } from './pull-request-page.ts';
import { metricsPage } from './reference/metrics-page.ts';
import { referencePages } from './reference/pages.ts';

/** The files generated from the code, by their path in the repository. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/machines.md': machinePage,
  'docs/pull-requests.md': pullRequestPage,
  'docs/watching.md': metricsPage,
  ...referencePages(),
  'src/cli/rpc/operations.json': operationsFile,
};

if (import.meta.main) {
  for (const [path, page] of Object.entries(pages)) {
    const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page());
  }
  for (const name of machineNames) await writeChart(name);
}

/** Lays a chart out again only if its machine has changed. */
async function writeChart(name: string): Promise<void> {
  const file = chartFile(name);
  if (isLaidOut(name)) return;
  writeFileSync(file, `${JSON.stringify(await layOut(name))}\n`);
}
