import { Option } from 'commander';
import type { Client } from '#cli/client/client.ts';
import { follow } from '#cli/client/follow.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { formatOf, type OutputFlags, outputOption, writeJsonLine, writeList } from '#cli/print/output.ts';
import { type NameOf, subjectNames } from '#cli/print/subject-name.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { padToWidth } from '#cli/print/width.ts';
import { detailText } from '#contract/fact/detail-text.ts';
import { enumWord } from '#contract/fact/enum-word.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { valueWords } from '#contract/fact/value-words.ts';
import { printable } from '#contract/printable.ts';

interface FactsFlags extends OutputFlags {
  readonly follow?: true;
  readonly number: number;
}

/** `muster facts` */
export const define: Define = (command, session) => {
  command
    .description('Lists facts (recorded events), newest last: all, or those about the agent NAME.')
    .option('-f, --follow', 'keep listing new facts, in order and without gaps')
    .addOption(new Option('-n, --number <count>', 'how many to start with').default(50).argParser(atLeastOne))
    .addOption(outputOption())
    .action((name: string | undefined, flags: FactsFlags) => print(session, name, flags));
};

async function print({ io, client: connect }: Session, name: string | undefined, flags: FactsFlags): Promise<void> {
  const client = connect();
  const subjectId = name === undefined ? undefined : (await findAgent(client, name)).id;
  const newest = await newestFacts(client, flags.number, subjectId);
  const isTable = formatOf(io, flags) === 'table';
  if (!flags.follow && !isTable) return writeList(io, flags, newest, () => '');
  const nameOf = subjectNames(client);
  const write = async (fact: Fact): Promise<void> =>
    isTable ? io.stdout.write(await factLine(fact, nameOf)) : writeJsonLine(io, fact);
  if (isTable) io.stdout.write(lineOf(['SEQ', 'TIME', 'WHAT', 'WHO', 'DETAIL']));
  for (const fact of newest) await write(fact);
  if (!flags.follow) return;
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
  for await (const { facts = [] } of changes) for (const fact of facts) await write(fact);
}

/** The newest facts, in ascending order. */
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

/** The widths of a line's parts except the last. They are fixed, so that facts align that arrive later. */
const partWidths = [6, 24, 18, 20];

function lineOf(parts: readonly string[]): string {
  const padded = parts.map((part, index) => padToWidth(printable(part), partWidths[index] ?? 0));
  return `${padded.join('  ').trimEnd()}\n`;
}

async function factLine({ seq = '', at = '', kind = '', subjectId = '', detail }: Fact, nameOf: NameOf) {
  const text = detailText(detail ?? '', formatValue);
  return lineOf([seq, at, kind, await nameOf(subjectId), await withNames(text, nameOf)]);
}

/** A text with its ids replaced by names. */
async function withNames(text: string, nameOf: NameOf): Promise<string> {
  const ids = [...new Set(text.match(/\b(?:agt|hst|sch|wfl)_\w+/g))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const)));
  return text.replaceAll(/\b(?:agt|hst|sch|wfl)_\w+/g, (id) => names.get(id) ?? id);
}

function formatValue(value: unknown): string {
  return (typeof value === 'string' ? enumWord(value) : undefined) ?? valueWords(value);
}
