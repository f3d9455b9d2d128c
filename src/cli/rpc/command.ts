import { type Command, Option } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { outputOption } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { addFieldFlags, givenFlags } from './flags.ts';
import { type ListedOperation, listedOperations } from './listed-operation.ts';
import { perform, type RpcFlags } from './perform.ts';
import { requestOf } from './request.ts';

/** `muster rpc`: one command for each operation, of which only those that the words name are made whole. */
export const define: Define = (command, session, words) => {
  command
    .description(
      'Calls an operation of the service. There is one command for each operation, with one flag for each field. ' +
        'A long text is read from a file with @path and from standard input with -; @@ stands for a leading @.',
    )
    .helpCommand(false);
  for (const operation of listedOperations()) {
    const own = command.command(operation.command).summary(operation.summary).helpGroup(`${operation.service}:`);
    if (words.includes(operation.command)) defineOperation(own, operation, session);
  }
};

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
  return streams ? 'continue over restarts of the service' : 'keep polling, and print the answer whenever it changes';
}

/** How else the operation is reached, and who may call it. */
function channelsOf({ access, idempotent, destructive, streams, roles, path, tool }: ListedOperation): string {
  const nature = [
    access === 'read' ? 'reads only' : 'writes',
    idempotent ? 'a repeat changes nothing more' : 'each call counts: do not repeat one that may have succeeded',
    ...(destructive ? ['destroys what cannot be restored'] : []),
    ...(streams ? ['streams one JSON line an answer until stopped'] : []),
  ];
  return [
    `Nature:      ${nature.join('; ')}`,
    `Offered to:  ${['a person', ...roles].join(', ')}`,
    `HTTP:        POST /${path}`,
    `MCP:         ${tool}`,
  ].join('\n');
}
