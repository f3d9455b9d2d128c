import { type Command, Option } from 'commander';
import { commandName, type Operation, pathOf, toolName } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { call } from '../http.ts';
import { type OutputFlags, outputOption, writeJson, writeJsonLine } from '../output.ts';
import type { Define, Session } from '../session.ts';
import { watch } from '../stream.ts';
import { textSource } from '../text-source.ts';
import { fieldsOf } from './field.ts';
import { addFieldFlags, givenFlags } from './flags.ts';
import { requestOf } from './request.ts';

interface RpcFlags extends OutputFlags {
  readonly json?: string;
}

/** `muster rpc`: one command for each row of the table of operations. */
export const define: Define = (command, session) => {
  command
    .description(
      'Calls an operation of the service. There is one command for each operation, with one flag for each field. ' +
        'A long text is read from a file with @path and from standard input with -; @@ stands for a leading @.',
    )
    .helpCommand(false);
  for (const row of operations) defineOperation(command.command(commandName(row)), row, session);
};

function defineOperation(command: Command, row: Operation, session: Session): void {
  const fields = fieldsOf(row.request);
  addFieldFlags(command, fields);
  command
    .summary(row.summary)
    .description(`${row.summary}\n\n${row.guidance}`)
    .helpGroup(`${row.service}:`)
    .addOption(new Option('--json <request>', 'the whole request as JSON; @path reads a file, - standard input'))
    .addOption(outputOption(['json', 'jsonl']))
    .addHelpText('after', () => `\n${channelsOf(row)}\n`)
    .action(async (flags: RpcFlags) => {
      const request = await requestOf(row, {
        given: givenFlags(command, fields),
        json: flags.json,
        source: textSource(session.io),
        command: `muster rpc ${command.name()}`,
      });
      await perform(row, request, flags, session);
    });
}

async function perform(row: Operation, request: unknown, flags: RpcFlags, session: Session): Promise<void> {
  const { io } = session;
  const connection = session.connection();
  if (row.watch !== undefined) {
    for await (const response of watch(connection, pathOf(row), request, io.signal)) writeJsonLine(io, response);
    return;
  }
  const response = await call(connection, pathOf(row), request);
  if (flags.output === 'jsonl') writeJsonLine(io, response);
  else writeJson(io, response);
}

/** How else the operation is reached, and who may call it. */
function channelsOf(row: Operation): string {
  const nature = [
    row.access === 'read' ? 'reads only' : 'writes',
    row.idempotent ? 'a repeat changes nothing more' : 'each call counts: do not repeat one that may have succeeded',
    ...(row.destructive ? ['takes away what cannot be brought back'] : []),
    ...(row.watch ? ['streams one JSON line an answer until stopped'] : []),
  ];
  return [
    `Nature:      ${nature.join('; ')}`,
    `Offered to:  ${['a person', ...row.roles].join(', ')}`,
    `HTTP:        POST /${pathOf(row)}`,
    `MCP:         ${toolName(row)}`,
  ].join('\n');
}
