import { type Command, Option } from 'commander';
import { follow } from '#cli/client/follow.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { ownNamed } from '#cli/find/own-agent.ts';
import { ago } from '#cli/print/duration.ts';
import { type OutputFlags, outputOption, writeList } from '#cli/print/output.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { inWords } from '#cli/print/words.ts';
import type { Doorbell } from '#contract/doorbell.ts';
import { Failure } from '#contract/failure.ts';
import { printableLines } from '#contract/printable.ts';

interface WaitFlags extends OutputFlags {
  readonly timeout: number;
}

/** `muster bell` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'An agent’s doorbell notifies it of mail and other events. In an agent’s pane NAME defaults to that agent.',
    );
  defineClaim(command.command('claim [name]').summary('claim an open doorbell, and print its causes'), session);
  defineWait(command.command('wait [name]').summary('wait until a doorbell rings'), session);
};

function defineClaim(command: Command, session: Session): void {
  const { io, client: connect } = session;
  command
    .description('Claims an agent’s open doorbell, and prints its causes. This takes no mail: muster mail take does.')
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags) => {
      const client = connect();
      const asked = await ownNamed(session, client, name, 'muster bell claim');
      const { doorbells = [], briefing = '' } = await client.call('agent.v1.AgentService/ClaimDoorbells', asked);
      // An agent that uses the command line may have no tools, so the briefing names commands instead.
      const said = inWords(briefing);
      const claimed = doorbells.map((one) => (said === '' ? one : { ...one, briefing: said }));
      writeList(io, flags, claimed, () => bellText(io, doorbells) + (said && `${printableLines(said)}\n`));
    });
}

function defineWait(command: Command, session: Session): void {
  const { io, client: connect } = session;
  command
    .description(
      'Waits until a doorbell rings, and prints its causes. muster types nothing to an agent that waits this way. If no doorbell ' +
        'rings in time, nothing is printed, and the exit code is 10.',
    )
    .addOption(new Option('-t, --timeout <seconds>', 'how long to wait').default(600).argParser(atLeastOne))
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: WaitFlags) => {
      const client = connect();
      const asked = await ownNamed(session, client, name, 'muster bell wait');
      const late = AbortSignal.timeout(flags.timeout * 1_000);
      const signal = io.signal === undefined ? late : AbortSignal.any([io.signal, late]);
      const answers = follow({ ...io, signal }, (cursor) =>
        client.watch(
          'agent.v1.AgentService/WaitForDoorbells',
          { ...asked, ...(cursor !== undefined && { cursor }) },
          signal,
        ),
      );
      for await (const { doorbells = [] } of answers) {
        if (doorbells.length > 0) return writeList(io, flags, doorbells, () => bellText(io, doorbells));
      }
      throw new Failure('WAIT_ENDED', `no doorbell rang within ${flags.timeout} s`);
    });
}

const causeWords: Readonly<Record<string, string>> = {
  DOORBELL_CAUSE_MAIL: 'mail',
  DOORBELL_CAUSE_REVIEW: 'review comments',
  DOORBELL_CAUSE_RESULT: 'results',
};

function bellText(io: CliIo, doorbells: readonly Doorbell[]): string {
  if (doorbells.length === 0) return 'No doorbell is open\n';
  return doorbells
    .map(({ causes = [], raisedAt }) => {
      const result = causes.map(({ cause = '', count = 0 }) => `${causeWords[cause] ?? cause} (${count})`);
      return `${result.join(', ')}, raised ${ago(raisedAt, io.now())} ago\n`;
    })
    .join('');
}
