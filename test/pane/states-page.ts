import { fileURLToPath } from 'node:url';
import { byHarness, capturedVersions, matrixColumns, matrixRows, type ReadScreen, readAll } from './confusion.ts';
import { loadGoldens } from './golden-screen.ts';
import { loadSamples } from './screen-corpus.ts';

/** The page that reports how panes are read, with tables of how well. */
export const statesPage = fileURLToPath(new URL('../../docs/pane-states.md', import.meta.url));

const begin = '<!-- tables, made by node bench/write-pane-states.ts -->\n';
const end = '<!-- end of tables -->';

/** The page with its tables as they are now. */
export function withTables(page: string): string {
  const [head, rest = ''] = page.split(begin);
  const [, tail = ''] = rest.split(end);
  return `${head}${begin}\n${tables()}\n${end}${tail}`;
}

function tables(): string {
  const versions = capturedVersions();
  const captured = matrixTable(readAll(loadSamples()), (harness) => `${harness} ${versions.get(harness) ?? ''}`);
  const golden = matrixTable(readAll(loadGoldens()), (harness) => harness);
  return `Captured screens of real CLIs, of the version that stands beside the name:\n\n${captured}\nGolden screens of the hard cases:\n\n${golden}`;
}

function matrixTable(screens: readonly ReadScreen[], nameOf: (harness: string) => string): string {
  const head = ['harness', ...matrixColumns].map((title) => title.replace('\\', '/'));
  const rows = byHarness(screens).flatMap(([harness, group]) =>
    matrixRows(group).map((row, place) => [place === 0 ? nameOf(harness) : '', ...row]),
  );
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
