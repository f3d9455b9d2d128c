import { resolve } from 'node:path';
import { Option } from 'commander';
import { actsAsAgent } from '#cli/client/connection.ts';
import type { Define, Session } from '#cli/client/session.ts';
import type { InstalledRules, SignedRules } from '#cli/client/signed-rules.ts';
import { details } from '#cli/print/details.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';

interface SignFlags {
  readonly serial: number;
  readonly about?: string;
}

/** `muster rules` */
export const define: Define = (command, session) => {
  command
    .description(
      'Shows, installs and removes signed rules for reading the screens of newer CLIs, on this computer. Off until you ' +
        'trust a key. Your own files in MUSTER_HOME/rules override them. Their launch parts need `muster harness confirm`.',
    )
    .helpCommand(false);
  command
    .command('ls', { isDefault: true })
    .description('Shows which signed rules are installed, and which keys are trusted.')
    .addOption(outputOption())
    .action((flags: OutputFlags) => list(session, flags));
  command
    .command('update <file>')
    .description('Verifies a bundle of signed rules, and installs it. Running hosts use it at once.')
    .addOption(outputOption())
    .action((file: string, flags: OutputFlags) => update(session, file, flags));
  command
    .command('remove')
    .description('Removes the installed rules: the built-in ones apply again.')
    .action(async () => {
      (await rulesFor(session)).remove();
      session.io.stdout.write('the signed rules are removed: the built-in ones apply\n');
    });
  command
    .command('trust <keyfile>')
    .description('Trusts a publisher: rules signed with this public key (Ed25519, PEM) may be installed.')
    .action(async (file: string) => {
      const key = (await rulesFor(session)).trust(resolve(session.io.cwd, file));
      session.io.stdout.write(
        `rules signed with ${key} may be installed: compare this fingerprint with the publisher’s\n`,
      );
    });
  command
    .command('distrust <key>')
    .description(
      'Stops trusting a key, named by the beginning of its fingerprint. Rules signed with it no longer apply.',
    )
    .action(async (said: string) => {
      const key = (await rulesFor(session)).distrust(said);
      session.io.stdout.write(`rules signed with ${key} no longer apply\n`);
    });
  command
    .command('sign <keyfile> <files...>')
    .description('Signs rules files, each named HARNESS.json, with a private key, and prints the bundle.')
    .addOption(
      new Option('--serial <number>', 'the number of the bundle, higher than that of every earlier one')
        .argParser(atLeastOne)
        .makeOptionMandatory(),
    )
    .option('--about <text>', 'what the bundle is for')
    .action(async (key: string, files: string[], { serial, about }: SignFlags) => {
      const paths = files.map((file) => resolve(session.io.cwd, file));
      session.io.stdout.write((await rulesFor(session)).sign(resolve(session.io.cwd, key), serial, paths, about));
    });
};

/**
 * The signed rules.
 * @throws PERMISSION_DENIED when the caller is an agent
 */
async function rulesFor(session: Session): Promise<SignedRules> {
  if (actsAsAgent(session.io)) {
    throw new Failure('PEOPLE_ONLY', 'only people install rules: ask the person that you work for');
  }
  return (await session.local()).signedRules;
}

async function list(session: Session, flags: OutputFlags): Promise<void> {
  const { signedRules } = await session.local();
  const [installed, trusted] = [await signedRules.installed(), signedRules.trusted()];
  writeRecord(session.io, flags, { installed, trusted }, () => {
    const keys = trusted.map((key) => `trusted key  ${key}\n`).join('');
    const none = 'no signed rules are installed: the built-in ones apply\n';
    const off = 'no key is trusted, so none can be installed: muster rules trust KEYFILE\n';
    return `${installed === undefined ? none : installedPage(session, installed)}${keys || off}`;
  });
}

async function update(session: Session, file: string, flags: OutputFlags): Promise<void> {
  const installed = await (await rulesFor(session)).update(resolve(session.io.cwd, file));
  writeRecord(session.io, flags, installed, () => installedPage(session, installed));
}

function installedPage({ io }: Session, { path, serial, key, about, harnesses, fault }: InstalledRules): string {
  const lines = harnesses.map(({ name, recordedWith, unused }) => {
    const recorded = recordedWith === undefined ? '' : `, recorded with ${recordedWith}`;
    return `${printable(name)}${recorded}: ${unused === '' ? 'in use' : `not in use, ${printable(unused)}`}\n`;
  });
  const page = details(io, {
    installed: path,
    serial: serial === undefined ? undefined : String(serial),
    'signed with': key,
    about,
    'not in use': fault,
  });
  return `${page}${lines.join('')}`;
}
