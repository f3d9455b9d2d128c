import { follow } from '#cli/client/follow.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { paintFor, type Style } from '#cli/print/color.ts';
import { formatOf, type OutputFlags, outputOption, writeJsonLine } from '#cli/print/output.ts';
import { subjectNames } from '#cli/print/subject-name.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { mayRuleAnswer, noticeKindOf, ruleMs, whyOfFact } from '#contract/fact/notice-of-fact.ts';
import { RuledQuestions } from '#contract/fact/ruled-questions.ts';
import { printable } from '#contract/printable.ts';
import { askedNow } from './asked-now.ts';

interface WatchFlags extends OutputFlags {
  readonly bell?: true;
}

const lines: Readonly<Record<string, { readonly says: string; readonly style: Style }>> = {
  NOTICE_KIND_WAITING: { says: 'waits for you', style: ['yellow', 'bold'] },
  NOTICE_KIND_FAILED: { says: 'failed', style: 'red' },
  NOTICE_KIND_FINISHED: { says: 'has finished', style: 'green' },
  NOTICE_KIND_ENDED: { says: 'has ended', style: 'red' },
  NOTICE_KIND_BUDGET: { says: 'has used four fifths of its budget', style: ['yellow', 'bold'] },
  NOTICE_KIND_ACCOUNT_LIMITED: { says: 'has an account at its limit', style: ['yellow', 'bold'] },
  NOTICE_KIND_HOST_LOST: { says: 'is lost: its agents are shown as last known', style: 'red' },
  NOTICE_KIND_HOST_BACK: { says: 'is back', style: 'green' },
  NOTICE_KIND_BACKUP_FAILED: { says: 'could not be backed up', style: 'red' },
};

/** Of facts that say more than the kind of their notice. */
const factLines: typeof lines = {
  'budget.spent': { says: 'has used up its budget, and is held until you continue it', style: ['yellow', 'bold'] },
};

/** `muster watch` */
export const define: Define = (command, session) => {
  command
    .description(
      'Prints a line whenever an agent starts to wait for you, fails, finishes a turn or ends, whenever an ' +
        'account is limited and its agents are parked, and whenever a host is lost or back, or a scheduled backup fails. ' +
        'A question that a rule may answer is printed once no rule has. muster ls --watch keeps the whole list on the screen.',
    )
    .option('--bell', 'ring the terminal’s bell each time')
    .addOption(outputOption(['table', 'jsonl']))
    .action((flags: WatchFlags) => watch(session, flags));
};

async function watch({ io, client: connect }: Session, flags: WatchFlags): Promise<void> {
  const client = connect();
  const nameOf = subjectNames(client);
  const isTable = formatOf(io, flags) === 'table';
  const report = async (fact: Fact, kind: string): Promise<void> => {
    // Look the agent up under its current name, not under its name at the time of the fact.
    const name = kind === 'NOTICE_KIND_BACKUP_FAILED' ? 'The installation' : await nameOf(fact.subjectId ?? '');
    if (isTable) io.stdout.write(lineOf(io, fact, kind, name));
    else writeJsonLine(io, fact);
    if (flags.bell) io.stderr.write('\u0007');
  };
  const questions = new RuledQuestions<Fact>({
    ruleMs,
    askedNow: (_agentId, fact) => askedNow(client, fact),
    report: (fact) => void report(fact, 'NOTICE_KIND_WAITING'),
  });
  const changes = follow(io, (cursor) =>
    client.watch('fact.v1.FactService/WatchFacts', cursor === undefined ? {} : { cursor }, io.signal),
  );
  try {
    for await (const { facts = [] } of changes) {
      for (const fact of facts) {
        if (fact.kind === 'agent.approved') questions.answered(fact.subjectId ?? '');
        const detail: unknown = JSON.parse(fact.detail ?? '{}');
        const kind = noticeKindOf({ kind: fact.kind ?? '', detail });
        if (kind === 'NOTICE_KIND_WAITING' && mayRuleAnswer(detail)) questions.keep(fact.subjectId ?? '', fact);
        else if (kind !== undefined) await report(fact, kind);
      }
    }
  } finally {
    questions.stop();
  }
}

function lineOf(io: CliIo, { at = '', detail = '{}', kind: factKind = '' }: Fact, kind: string, name: string): string {
  const { says, style } = factLines[factKind] ?? lines[kind] ?? { says: kind, style: 'dim' };
  const reason = printable(whyOfFact(JSON.parse(detail)));
  const why = reason && `: ${reason}`;
  const time = new Date(at).toTimeString().slice(0, 8);
  return `${time}  ${paintFor(io)(style, `${printable(name)} ${says}`)}${why}\n`;
}
