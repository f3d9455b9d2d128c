import { fileURLToPath } from 'node:url';
import type { Aftermath, DrillPlan, FaultOutcome } from './drill.ts';

/** The page that reports what faults of a control plane do. */
export const faultsPage = fileURLToPath(new URL('../../docs/control-plane-faults.md', import.meta.url));

const [begin, end] = ['<!-- result of a drill, made by npm run bench fleet -->\n', '<!-- end of the result -->'];

/** The titles of the table of faults. */
export const faultColumns = [
  'fault',
  'times',
  'calls refused for at most',
  'longest call',
  'all is well after',
] as const;

/** One row for each kind of fault, the worst of its times. */
export function faultRows({ outcomes }: Pick<Aftermath, 'outcomes'>): readonly (readonly string[])[] {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const worst = (of: readonly FaultOutcome[], what: (one: FaultOutcome) => number) =>
    seconds(Math.max(...of.map(what)));
  return [...Map.groupBy(outcomes, ({ kind }) => kind)]
    .toSorted()
    .map(([kind, its]) => [
      kind,
      String(its.length),
      worst(its, ({ refusedMs }) => refusedMs),
      worst(its, ({ answeredMs }) => answeredMs),
      worst(its, ({ wholeMs }) => wholeMs),
    ]);
}

/** The results of a drill, one sentence each. */
export function drillSummary({ findings, outcomes, died, calls, resumes, seconds }: Aftermath): readonly string[] {
  const { lost, doubled, watches } = findings;
  const counts = Object.entries(findings.acknowledged).map(([what, count]) => `${count} ${what}`);
  return [
    `${outcomes.length} faults in ${seconds} s, ${calls} calls.`,
    `Acknowledged: ${counts.join(', ')}.`,
    `Lost: ${lost.length}. Doubled: ${doubled.length}. Watches with a gap or a repeat: ${watches.length}, resumed ${resumes} times.`,
    `Processes of muster that ended on their own: ${died.length}.`,
  ];
}

/** The page with the result of a drill. */
export function withDrill(
  page: string,
  { seed, faults }: Pick<DrillPlan, 'seed' | 'faults'>,
  aftermath: Aftermath,
): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${faultsPage} has no place for the result`);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [faultColumns, faultColumns.map(() => '---'), ...faultRows(aftermath)].map(line);
  const command = `npm run bench fleet -- --seed ${seed} --faults ${faults} --write`;
  const text = ['', `\`${command}\`:`, '', ...table, '', ...drillSummary(aftermath).map((one) => `- ${one}`), '', ''];
  return before + begin + text.join('\n') + end + after;
}
