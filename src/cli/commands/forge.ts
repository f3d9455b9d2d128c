import { type Command, Option } from 'commander';
import type { ResponseOf } from '#cli/client/client.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Define, Session } from '#cli/client/session.ts';
import { findConnection } from '#cli/find/find-connection.ts';
import { details } from '#cli/print/details.ts';
import { ago } from '#cli/print/duration.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import { textTable } from '#cli/print/text-table.ts';
import { atLeastOne } from '#cli/print/whole-number.ts';
import { shortName } from '#cli/print/words.ts';
import { Failure } from '#contract/failure.ts';
import type { ForgeConnection, ForgeKindName } from '#contract/forge/forge-connection.ts';
import type { ForgePullRequest } from '#contract/forge/pull-request.ts';
import { printable } from '#contract/printable.ts';

const service = 'forge.v1.ForgeService';
/** Maximum number of pull requests that one call returns. */
const maxOnPage = 100;

const kinds: Readonly<Record<string, ForgeKindName>> = {
  github: 'FORGE_KIND_GITHUB',
  gitlab: 'FORGE_KIND_GITLAB',
  gitea: 'FORGE_KIND_GITEA',
  forgejo: 'FORGE_KIND_GITEA',
  bitbucket: 'FORGE_KIND_BITBUCKET',
};
/** The kinds of public forges. */
const knownHosts: Readonly<Record<string, ForgeKindName>> = {
  'github.com': 'FORGE_KIND_GITHUB',
  'gitlab.com': 'FORGE_KIND_GITLAB',
  'codeberg.org': 'FORGE_KIND_GITEA',
  'gitea.com': 'FORGE_KIND_GITEA',
  'bitbucket.org': 'FORGE_KIND_BITBUCKET',
};

interface AddFlags extends OutputFlags {
  readonly kind?: string;
  readonly base?: string;
  readonly token?: string;
  readonly env?: string;
  readonly file?: string;
  readonly command?: string[];
}

interface PullRequestFlags extends OutputFlags {
  readonly branch?: string;
  readonly limit: number;
}

/** `muster forge` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'Connects forges (GitHub, GitLab, Gitea, Forgejo, Bitbucket). Connect each one once, by the host name in its remotes.',
    );
  defineAdd(command.command('add <host>').summary('connect a forge'), session);
  defineLs(
    command
      .command('ls')
      .summary('list the connected forges')
      .description('Lists the connected forges, and where their credentials come from.'),
    session,
  );
  defineCheck(
    command
      .command('check [host]')
      .summary('check the credentials of forges')
      .description(
        'Asks one forge, or all, which account the credential belongs to and how many requests it has left. Exits with 1 if one fails.',
      ),
    session,
  );
  defineRm(
    command
      .command('rm <host>')
      .summary('disconnect a forge')
      .description('Disconnects a forge. Stored pull requests stay, but are no longer updated.'),
    session,
  );
  definePullRequests(command.command('prs <remote>').summary('list a repository’s pull requests'), session);
};

function defineAdd(command: Command, { io, client }: Session): void {
  command
    .description(
      'Connects the forge with this host in its remotes, such as github.com or git.example.org. Give exactly one of --token, --env, ' +
        '--file and --command for its credential. This does not contact the forge: muster forge check does.',
    )
    .addOption(new Option('--kind <kind>', 'its kind; optional for the public ones').choices(Object.keys(kinds)))
    .option('--base <address>', 'its address, if not https://HOST')
    .option('--token <source>', 'store this credential, encrypted: - for standard input, or @file')
    .option('--env <name>', 'read it from this environment variable of the registry')
    .option('--file <path>', 'read it from this file on the registry’s machine, which only its owner may read')
    .option('--command <words...>', 'run this program, which prints it, such as --command gh auth token')
    .addOption(outputOption())
    .action(async (host: string, flags: AddFlags) => {
      const kind = flags.kind === undefined ? knownHosts[host.toLowerCase()] : kinds[flags.kind];
      if (kind === undefined) {
        throw new Failure(
          'INVALID_USAGE',
          `say what ${printable(host)} is, with --kind ${Object.keys(kinds).join('|')}`,
        );
      }
      const { base, env, file, command: words } = flags;
      const { connection = {} } = await client().call(`${service}/CreateForgeConnection`, {
        host,
        kind,
        ...(base !== undefined && { baseAddress: base }),
        ...(flags.token !== undefined && { credential: await secret(io, flags.token) }),
        ...(env !== undefined && { credentialEnv: env }),
        ...(file !== undefined && { credentialFile: file }),
        ...(words !== undefined && { credentialCommand: words }),
      });
      const next = `Try it: muster forge check ${connection.host ?? ''}\n`;
      writeRecord(io, flags, connection, () => `${printable(connection.host ?? '')} is connected. ${next}`);
    });
}

/** A credential must not be on the command line, where every user of the computer could read it. */
async function secret(io: CliIo, source: string): Promise<string> {
  if (source !== '-' && !/^@[^@]/.test(source)) {
    throw new Failure(
      'INVALID_USAGE',
      '--token is - for standard input or @file: on the command line, others on this machine could read it',
    );
  }
  return (await textSource(io).read('--token', source)).trim();
}

function defineLs(command: Command, { io, client }: Session): void {
  command.addOption(outputOption()).action(async (flags: OutputFlags) => {
    const { connections = [] } = await client().call(`${service}/ListForgeConnections`, {});
    writeList(io, flags, connections, () => connectionTable(io, connections));
  });
}

function connectionTable(io: CliIo, connections: readonly ForgeConnection[]): string {
  if (connections.length === 0)
    return 'No forge is connected. Try: muster forge add github.com --command gh auth token\n';
  const rows = connections.map((one) => [
    { text: printable(one.host ?? '') },
    { text: shortName(one.kind ?? 'FORGE_KIND_UNSPECIFIED') },
    { text: printable(one.baseAddress ?? '') },
    { text: printable(sourceOf(one)) },
  ]);
  return textTable(
    [{ title: 'HOST' }, { title: 'KIND' }, { title: 'ADDRESS' }, { title: 'CREDENTIAL' }],
    rows,
    io.stdout.columns,
  );
}

function sourceOf({ credentialEnv, credentialFile, credentialCommand }: ForgeConnection): string {
  if (credentialEnv) return `environment variable ${credentialEnv}`;
  if (credentialFile) return `file ${credentialFile}`;
  return credentialCommand?.length ? `command ${credentialCommand.join(' ')}` : 'kept, encrypted';
}

type Check = ResponseOf<`${typeof service}/CheckForgeConnection`>;

function defineCheck(command: Command, { io, client: connect, exitWith }: Session): void {
  command.addOption(outputOption()).action(async (host: string | undefined, flags: OutputFlags) => {
    const client = connect();
    const { connections = [] } = await client.call(`${service}/ListForgeConnections`, {});
    const wanted = host === undefined ? connections : [findConnection(connections, host)];
    const outcomes: (Check & { host: string; failure?: string })[] = [];
    for (const { id = '', host: name = '' } of wanted) {
      try {
        outcomes.push({ host: name, ...(await client.call(`${service}/CheckForgeConnection`, { connectionId: id })) });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        outcomes.push({ host: name, failure: error.message });
      }
    }
    writeList(
      io,
      flags,
      outcomes,
      () => outcomes.map((one) => checkText(io, one)).join('\n') || connectionTable(io, []),
    );
    if (outcomes.some(({ failure }) => failure)) exitWith(1);
  });
}

function checkText(
  io: CliIo,
  { host, login, warnings = [], failure, ...quota }: Check & { host: string; failure?: string },
): string {
  const { quotaRemaining, quotaLimit, quotaResetAt } = quota;
  return details(io, {
    forge: host,
    account: login,
    'requests left': quotaRemaining && `${quotaRemaining} of ${quotaLimit} until ${quotaResetAt}`,
    warning: warnings.join(' '),
    failure,
  });
}

function defineRm(command: Command, { io, client: connect }: Session): void {
  command.addOption(outputOption()).action(async (host: string, flags: OutputFlags) => {
    const client = connect();
    const { connections = [] } = await client.call(`${service}/ListForgeConnections`, {});
    const { id, host: name } = findConnection(connections, host);
    await client.call(`${service}/DeleteForgeConnection`, { connectionId: id });
    writeRecord(io, flags, { id, host: name }, () => `${printable(name)} is disconnected\n`);
  });
}

function definePullRequests(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Lists a repository’s pull requests by asking the forge itself. REMOTE is a git remote: git@host:owner/name or https://host/owner/name.',
    )
    .option('--branch <branch>', 'pull requests from this branch, in any state; without it, the open ones')
    .option('-n, --limit <number>', 'how many at most', atLeastOne, maxOnPage)
    .addOption(outputOption())
    .action(async (remoteUrl: string, { branch, limit, ...flags }: PullRequestFlags) => {
      const client = connect();
      const found: ForgePullRequest[] = [];
      for (let cursor: string | undefined; found.length < limit; ) {
        const pagination = { pageSize: Math.min(maxOnPage, limit - found.length), ...(cursor && { cursor }) };
        const page = await client.call(`${service}/ListForgePullRequests`, {
          remoteUrl,
          pagination,
          ...(branch !== undefined && { branch }),
        });
        found.push(...(page.pullRequests ?? []));
        cursor = page.nextPageToken;
        if (!cursor) break;
      }
      writeList(io, flags, found, () => pullRequestTable(io, found));
    });
}

function pullRequestTable(io: CliIo, found: readonly ForgePullRequest[]): string {
  const columns = [
    { title: 'NUMBER' },
    { title: 'STATE' },
    { title: 'UPDATED' },
    { title: 'BRANCH', min: 12 },
    { title: 'TITLE', min: 16, cutFirst: true },
    { title: 'URL' },
  ];
  const rows = found.map(({ number = 0, state = '', draft, updatedAt, headBranch = '', title = '', url = '' }) => [
    { text: String(number) },
    { text: `${printable(state.toLowerCase())}${draft ? ', draft' : ''}` },
    { text: ago(updatedAt, io.now()) },
    { text: printable(headBranch) },
    { text: printable(title) },
    { text: printable(url) },
  ]);
  return found.length === 0 ? 'There are no such pull requests\n' : textTable(columns, rows, io.stdout.columns);
}
