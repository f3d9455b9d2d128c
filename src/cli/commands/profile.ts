import type { Command } from 'commander';
import type { RequestOf } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { everyProfile, findProfile } from '#cli/find/find-profile.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { type TextSource, textSource } from '#cli/print/text-source.ts';
import { textTable } from '#cli/print/text-table.ts';
import { Failure } from '#contract/failure.ts';
import type { GivenSecret } from '#contract/operations/profile.ts';
import { printable } from '#contract/printable.ts';
import type { Profile } from '#contract/profile/profile.ts';
import { parseSecretText, secretText } from '#contract/profile/secret-text.ts';

const service = 'profile.v1.ProfileService';
const clearable = ['environment', 'secrets', 'home', 'account'] as const;

interface ProfileFlags extends OutputFlags {
  readonly name?: string;
  readonly env?: string[];
  readonly secret?: string[];
  readonly removeSecret?: string[];
  readonly home?: string;
  readonly account?: string;
  readonly clear?: (typeof clearable)[number][];
}
type Update = RequestOf<'profile.v1.ProfileService/UpdateProfile'>;

/** `muster profile` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'A profile gives agents variables, secrets and an account. Workflows and launches name one. Secrets are read on the agent’s ' +
        'host whenever it starts, and muster never shows them.',
    );
  defineList(command.command('list').summary('list profiles').alias('ls'), session);
  defineCreate(command.command('create <name>').summary('create a profile'), session);
  defineEdit(command.command('edit <name>').summary('change a profile'), session);
  defineDelete(command.command('delete <name>').summary('delete a profile that nothing uses'), session);
};

function withFields(command: Command): Command {
  return command
    .option('--env <entries...>', 'variables that are not secret, each as NAME=value')
    .option(
      '--secret <entries...>',
      'secrets, each as VARIABLE=env:NAME (a variable of the agent’s host), VARIABLE=file:PATH (a file there that only its owner may ' +
        "read), 'VARIABLE=command:op read …' (a program there that prints it), or, to store the value encrypted, VARIABLE=- for " +
        'standard input or VARIABLE=@file',
    )
    .option('--home <folder>', 'the folder with the CLI’s settings and credentials on the agent’s host')
    .option('--account <name>', 'the account that the CLI’s credential belongs to')
    .addOption(outputOption());
}

function defineList(command: Command, { io, client }: Session): void {
  command
    .description('Lists profiles, and where their secrets come from.')
    .addOption(outputOption())
    .action(async (flags: OutputFlags) => {
      const profiles = await everyProfile(client());
      const cells = ({ name = '', account = '', home = '', secrets = [], id = '' }: Profile) =>
        [name, account, home, secrets.map(secretText).join(', '), id].map((text) => ({ text: printable(text) }));
      const titles = [
        { title: 'NAME', min: 12 },
        { title: 'ACCOUNT' },
        { title: 'HOME' },
        { title: 'SECRETS', min: 16, cutFirst: true },
        { title: 'ID' },
      ];
      writeList(io, flags, profiles, () =>
        profiles.length === 0 ? 'There are no profiles\n' : textTable(titles, profiles.map(cells), io.stdout.columns),
      );
    });
}

function defineCreate(command: Command, { io, client }: Session): void {
  withFields(command.description('Creates a profile: variables, secrets and the account of agents.')).action(
    async (name: string, flags: ProfileFlags) => {
      const { profile } = await client().call(`${service}/CreateProfile`, { name, ...(await fieldsOf(io, flags)) });
      writeRecord(io, flags, profile, () => resultLine('created', profile));
    },
  );
}

function defineEdit(command: Command, { io, client: connect }: Session): void {
  withFields(
    command
      .description('Changes a profile. Running agents keep what they have; each gets the change when it starts next.')
      .option('--name <name>', 'its new name')
      .option('--remove-secret <variables...>', 'remove these secrets')
      .option('--clear <fields...>', `fields to empty: ${clearable.join(', ')}`),
  ).action(async (nameOrId: string, flags: ProfileFlags) => {
    const wrong = flags.clear?.find((field) => !clearable.includes(field));
    if (wrong !== undefined)
      throw new Failure('INVALID_USAGE', `--clear ${printable(wrong)}: give ${clearable.join(', ')}`);
    const client = connect();
    const { id: profileId } = await findProfile(client, nameOrId);
    const { name, removeSecret: removeSecrets, clear } = flags;
    const changes: Omit<Update, 'profileId'> = {
      ...(await fieldsOf(io, flags)),
      ...(name !== undefined && { name }),
      ...(removeSecrets !== undefined && { removeSecrets }),
      ...(clear !== undefined && { clear }),
    };
    if (Object.keys(changes).length === 0)
      throw new Failure('INVALID_USAGE', 'nothing to change: name at least one field');
    const { profile } = await client.call(`${service}/UpdateProfile`, { profileId, ...changes });
    writeRecord(io, flags, profile, () => resultLine('changed', profile));
  });
}

function defineDelete(command: Command, { io, client: connect }: Session): void {
  command
    .description('Deletes a profile that no workflow names and no agent has, with its stored secrets.')
    .addOption(outputOption())
    .action(async (nameOrId: string, flags: OutputFlags) => {
      const client = connect();
      const profile = await findProfile(client, nameOrId);
      await client.call(`${service}/DeleteProfile`, { profileId: profile.id });
      writeRecord(io, flags, profile, () => resultLine('deleted', profile));
    });
}

/** The fields that a command line gives. */
async function fieldsOf(io: CliIo, { env, secret, home, account }: ProfileFlags) {
  const source = textSource(io);
  const secrets: GivenSecret[] = [];
  for (const entry of secret ?? []) secrets.push(await givenSecret(entry, source));
  return {
    ...(env !== undefined && { environment: env }),
    ...(secrets.length > 0 && { secrets }),
    ...(home !== undefined && { home }),
    ...(account !== undefined && { account }),
  };
}

/**
 * A secret of the command line. Errors do not repeat its source.
 * @throws INVALID_ARGUMENT when it has no source, or when the value itself is on the command line
 */
async function givenSecret(entry: string, source: TextSource): Promise<GivenSecret> {
  const { secret, other } = parseSecretText(entry);
  const { variable } = secret;
  if (other === undefined) return secret;
  if (other === '-' || /^@[^@]/.test(other))
    return { variable, value: await source.read(`--secret ${variable}`, other) };
  throw new Failure(
    'INVALID_USAGE',
    `--secret ${printable(variable)}=… has no source: give env:NAME, file:PATH, command:WORDS, - for standard input or @file. On the ` +
      'command line, others on this machine could read the value itself',
  );
}

function resultLine(done: string, { name = '', id = '' }: Profile = {}): string {
  return `${done} ${printable(name)}  ${id}\n`;
}
