import { fileURLToPath } from 'node:url';

/** The programs that the hooks of CLIs call, as they stand in this installation of muster. */
export const reportPrograms = {
  report: programOf('muster-report'),
  plugin: programOf('opencode-reports.mjs'),
} as const;

function programOf(name: string): string {
  return fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));
}
