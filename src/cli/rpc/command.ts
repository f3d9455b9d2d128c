import { type Command, Option } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { outputOption } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { addFieldFlags, givenFlags } from './flags.ts';
import { type ListedOperation, listedOperations } from './listed-operation.ts';
import { perform, type RpcFlags } from './perform.ts';
import { requestOf } from './request.ts';

/** `muster rpc`: one command for each operation. Only the command that the words name gets its flags. */
export const define: Define = (command, session, words) => {
  command
    .description(
      'Calls an operation of the service. There is one command for each operation, with one flag for each field. ' +
        'For a long text, @path reads a file, and - reads standard input; @@ means a literal @.',
    )
    .helpCommand(false);
  for (const operation of operationsFor(words)) {
    const own = command.command(operation.command).summary(operation.summary).helpGroup(`${operation.service}:`);
    if (words.includes(operation.command)) defineOperation(own, operation, session);
  }
};

/** Every operation; only the one that the words name, unless a name that they begin can be completed to another one. */
function operationsFor([, named = '']: readonly string[]): readonly ListedOperation[] {
  const all = listedOperations();
  const [only, ...others] = all.filter(({ command }) => command === named || command.startsWith(`${named}-`));
  return only?.command === named && others.length === 0 ? [only] : all;
}

function defineOperation(command: Command, operation: ListedOperation, session: Session): void {
  const { fields, summary, guidance, access } = operation;
  addFieldFlags(command, fields);
  command
    .description(`${summary}\n\n${guidance}`)
    .addOption(new Option('--json <request>', 'the whole request as JSON; @path reads a file, - standard input'))
    .addOption(outputOption(undefined, 'JSON'));
  if (access === 'read') command.option('-w, --watch', watchHelp(operation));
  command
    .addHelpText('after', () => `\n${channelsOf(operation)}\n`)
    .action(async (flags: RpcFlags) => {
      const request = await requestOf(operation, {
        given: givenFlags(command, fields),
        json: flags.json,
        source: textSource(session.io),
        command: `muster rpc ${command.name()}`,
      });
      await perform(operation, request, flags, session);
    });
}

function watchHelp({ streams }: ListedOperation): string {
  return streams ? 'continue across restarts of the service' : 'keep polling, and print the answer whenever it changes';
}

/** The other channels of the operation, its properties, and who may call it. */
function channelsOf({ access, idempotent, destructive, streams, roles, path, tool }: ListedOperation): string {
  const nature = [
    access === 'read' ? 'reads only' : 'writes',
    idempotent
      ? 'idempotent: a repeat changes nothing further'
      : 'not idempotent: do not repeat a call that may have succeeded',
    ...(destructive ? ['destructive: cannot be undone'] : []),
    ...(streams ? ['streams one JSON line per answer until stopped'] : []),
  ];
  return [
    `Nature:      ${nature.join('; ')}`,
    `Offered to:  ${['a person', ...roles].join(', ')}`,
    `HTTP:        POST /${path}`,
    `MCP:         ${tool}`,
  ].join('\n');
}
