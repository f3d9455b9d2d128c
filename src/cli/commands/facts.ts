import { Option } from 'commander';
import type { Fact } from '#contract/fact.ts';
import type { Client } from '../client.ts';
import { findAgent } from '../find-agent.ts';
import { follow } from '../follow.ts';
import type { CliIo } from '../io.ts';
import { formatOf, type OutputFlags, outputOption, writeJsonLine, writeList } from '../output.ts';
import { printable } from '../printable.ts';
import type { Define, Session } from '../session.ts';
import { atLeastOne } from '../whole-number.ts';

interface FactsFlags extends OutputFlags {
  readonly follow?: true;
  readonly number: number;
}

/** `muster facts` */
export const define: Define = (command, session) => {
  command
    .description('Tells what happened, the newest last: to everything, or to the agent that NAME names.')
    .option('-f, --follow', 'go on telling what happens, in order, none left out')
    .addOption(new Option('-n, --number <count>', 'how many to begin with').default(50).argParser(atLeastOne))
    .addOption(outputOption())
    .action((name: string | undefined, flags: FactsFlags) => tell(session, name, flags));
};

async function tell({ io, client: connect }: Session, name: string | undefined, flags: FactsFlags): Promise<void> {
  const client = connect();
  const subjectId = name === undefined ? undefined : (await findAgent(client, name)).id;
  const newest = await newestFacts(client, flags.number, subjectId);
  if (!flags.follow) {
    writeList(io, flags, newest, () => newest.map((fact) => factLine(fact)).join(''));
    return;
  }
  const write = (fact: Fact): void => writeFact(io, flags, fact);
  for (const fact of newest) write(fact);
  const changes = follow(
    io,
    (cursor) =>
      client.watch(
        'fact.v1.FactService/WatchFacts',
        { ...(cursor !== undefined && { cursor }), ...(subjectId !== undefined && { subjectId }) },
        io.signal,
      ),
    { from: newest.at(-1)?.seq ?? '0' },
  );
  for await (const { facts = [] } of changes) for (const fact of facts) write(fact);
}

/** The newest facts, the oldest of them first. */
async function newestFacts(client: Client, count: number, subjectId: string | undefined): Promise<Fact[]> {
  const newest: Fact[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('fact.v1.FactService/ListFacts', {
      pageSize: Math.min(200, count - newest.length),
      ...(cursor !== undefined && { cursor }),
      ...(subjectId !== undefined && { subjectId }),
    });
    newest.push(...(page.facts ?? []));
    cursor = page.nextPageToken;
  } while (cursor && newest.length < count);
  return newest.slice(0, count).reverse();
}

function writeFact(io: CliIo, flags: OutputFlags, fact: Fact): void {
  if (formatOf(io, flags) === 'table') io.stdout.write(factLine(fact));
  else writeJsonLine(io, fact);
}

function factLine({ seq = '', at = '', kind = '', subjectId = '', detail = '' }: Fact): string {
  return `${[seq.padStart(6), at, kind.padEnd(18), subjectId, detail].map(printable).join('  ').trimEnd()}\n`;
}
