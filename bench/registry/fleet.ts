import { readFileSync, writeFileSync } from 'node:fs';
import { drill, inWords } from '#test/fleet/drill.ts';
import { drillSummary, faultColumns, faultRows, faultsPage, withDrill } from '#test/fleet/drill-table.ts';
import { report, say } from '../stage/report.ts';

/** The options of the drill on the command line. */
export interface DrillOptions {
  readonly seed: number;
  readonly faults: number;
  /** Whether to write the result into the documentation. */
  readonly isWritten: boolean;
}

/** Injects faults, chosen by a seed, into a whole control plane, and counts what is lost, doubled and refused. */
export async function benchFleet({ seed, faults, isWritten }: DrillOptions): Promise<void> {
  const onFault = (outcome: Parameters<typeof inWords>[0]) => say(inWords(outcome));
  const aftermath = await drill({ seed, faults, onFault });
  report(
    'A control plane under faults',
    `3 NATS servers, PostgreSQL with a synchronous standby, 3 registries, 2 gateways, 4 hosts; seed ${seed}`,
    faultColumns.map((title) => title.toUpperCase()),
    faultRows(aftermath),
  );
  for (const line of drillSummary(aftermath)) say(line);
  const { lost, doubled, watches } = aftermath.findings;
  for (const fault of [...lost.map((what) => `lost: ${what}`), ...doubled, ...watches, ...aftermath.died]) say(fault);
  if (isWritten) writeFileSync(faultsPage, withDrill(readFileSync(faultsPage, 'utf8'), { seed, faults }, aftermath));
}
