import type { Client } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { paintFor, type Style } from '#cli/print/color.ts';
import { formatOf, type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { subjectNames } from '#cli/print/subject-name.ts';
import { textTable } from '#cli/print/text-table.ts';
import type { AgentSummary } from '#contract/agent/agent-summary.ts';
import {
  compareSummaries,
  type Standing,
  standingOf,
  standingText,
  summaryNotes,
  summaryTotals,
} from '#contract/agent/summary-text.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { installationLine } from '#contract/fact/installation-line.ts';
import { printable } from '#contract/printable.ts';
import { pastTime } from './given-time.ts';

interface SummaryFlags extends OutputFlags {
  readonly since: string;
}

/** What the service returns for a time. */
interface Summary {
  readonly agents: readonly AgentSummary[];
  readonly facts: readonly Fact[];
  readonly factsForgotten: boolean;
}

const styles: Readonly<Record<Standing, Style>> = {
  waits: ['yellow', 'bold'],
  'over budget': ['yellow', 'bold'],
  failed: 'red',
  ended: 'red',
  parked: 'blue',
  unclear: 'magenta',
  works: 'cyan',
  finished: 'green',
  rests: 'dim',
  archived: 'dim',
};

/** `muster summary` */
export const define: Define = (command, session) => {
  command
    .description(
      'Prints what happened to each agent since a time, as after a night: those that need you first, with the reason or the ' +
        'question, then what they finished, how many questions rules answered and how many reached you, and how often limits ' +
        'parked them or budgets held them. Above ' +
        'them: what happened to accounts, budgets, hosts and backups, and a restore. Agents archived since then are listed too.',
    )
    .option('--since <time>', 'how long ago, such as 10h or 2d, or a time such as 2026-11-21T22:00:00Z', '10h')
    .addOption(outputOption())
    .action((flags: SummaryFlags) => print(session, flags));
};

async function print({ io, client: connect }: Session, flags: SummaryFlags): Promise<void> {
  const since = pastTime('--since', flags.since, io.now());
  const client = connect();
  const asked = await ask(client, since);
  const summary = { ...asked, agents: asked.agents.toSorted(compareSummaries) };
  const happened = formatOf(io, flags) === 'table' ? await happenedText(client, summary.facts) : '';
  writeRecord(io, flags, { since, ...summary }, () => {
    const table = summary.agents.length === 0 ? 'There are no agents\n' : tableOf(io, summary.agents);
    return `${happened}${table}\nSince ${since}: ${summaryTotals(summary.agents)}\n`;
  });
  if (summary.factsForgotten)
    io.stderr.write('Facts since then are no longer kept (MUSTER_FACT_DAYS): the counts are too low\n');
}

/** What happened to accounts, budgets, hosts and backups, a line each. */
async function happenedText(client: Client, facts: readonly Fact[]): Promise<string> {
  const nameOf = subjectNames(client);
  const lines = facts.map(async ({ at = '', kind = '', subjectId = '', detail = '' }) => {
    const line = installationLine(kind, await nameOf(subjectId), detail);
    return `${at.slice(0, 16)}Z  ${printable(line)}\n`;
  });
  return facts.length === 0 ? '' : `${(await Promise.all(lines)).join('')}\n`;
}

async function ask(client: Client, since: string): Promise<Summary> {
  const facts: Fact[] = [];
  let factsForgotten = false;
  const agents = await everyPage(
    (pagination) => client.call('agent.v1.AgentService/SummarizeAgents', { since, pagination }),
    (page) => {
      facts.push(...(page.facts ?? []));
      factsForgotten ||= page.factsForgotten === true;
      return page.agents;
    },
  );
  return { agents, facts, factsForgotten };
}

function tableOf(io: CliIo, agents: readonly AgentSummary[]): string {
  const paint = paintFor(io);
  const columns = [{ title: 'NAME', min: 12 }, { title: 'NOW' }, { title: 'SINCE THEN', min: 20, cutFirst: true }];
  const rows = agents.map((agent) => {
    const standing = standingOf(agent);
    return [
      { text: printable(agent.name ?? '') },
      {
        text: standingText(agent),
        paint: (text: string) => paint(agent.lastKnownAt ? 'dim' : styles[standing], text),
      },
      { text: printable(summaryNotes(agent).join(' · ')) },
    ];
  });
  return textTable(columns, rows, io.stdout.columns);
}
