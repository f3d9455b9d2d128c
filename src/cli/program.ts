import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';

interface Entry {
  /** Name and arguments. */
  readonly usage: string;
  readonly summary: string;
  /** Loads the command, only when it is used, so that help and other commands start fast. */
  readonly load: () => Promise<{ readonly define: Define }>;
}

const processHelp = () => import('./commands/process.ts');
const agentVerb = () => import('#cli/commands/agent/agent-verb.ts');
const steer = () => import('#cli/commands/agent/steer.ts');
const result = () => import('#cli/commands/agent/result.ts');
const agentEdit = () => import('#cli/commands/agent/agent-edit.ts');

/** The commands by the headings of the help. For those of the service itself this is only their help. */
const groups: Readonly<Record<string, readonly Entry[]>> = {
  'Service:': [
    { usage: 'start', summary: 'run the whole service on this machine', load: processHelp },
    { usage: 'setup', summary: 'install the programs that muster needs here', load: processHelp },
    {
      usage: 'service',
      summary: 'run muster as a user service',
      load: () => import('./commands/service.ts'),
    },
    { usage: 'open', summary: 'open the page in a browser, signed in', load: () => import('./commands/open.ts') },
    { usage: 'join [line]', summary: 'make this machine a host of another installation', load: processHelp },
    { usage: 'doctor', summary: 'check what muster needs on this machine', load: processHelp },
    { usage: 'probe <process>', summary: 'check one process here, for health checks', load: processHelp },
    { usage: 'backup <file>', summary: 'back up the installation into a file, even while it runs', load: processHelp },
    { usage: 'upgrade', summary: 'upgrade muster to a newer version', load: processHelp },
    { usage: 'migrate-database', summary: 'move the installation from SQLite to PostgreSQL', load: processHelp },
    { usage: 'bus-keys <folder>', summary: 'make the keys of your own bus', load: processHelp },
    { usage: 'gateway', summary: 'run only a gateway, on your own bus', load: processHelp },
    { usage: 'registry', summary: 'run only the registry, on your own bus', load: processHelp },
    {
      usage: 'host',
      summary: 'run only a host, on your own bus; or change a host',
      load: () => import('./commands/host.ts'),
    },
  ],
  'Agents:': [
    { usage: 'ls', summary: 'list agents, those that need you first', load: () => import('#cli/commands/agent/ls.ts') },
    {
      usage: 'show <name>',
      summary: 'show everything about an agent',
      load: () => import('#cli/commands/agent/show.ts'),
    },
    {
      usage: 'why [name]',
      summary: 'say why an agent is in its state',
      load: () => import('#cli/commands/agent/why.ts'),
    },
    {
      usage: 'read <name>',
      summary: 'print what an agent’s pane shows',
      load: () => import('#cli/commands/agent/read.ts'),
    },
    { usage: 'new <prompt>', summary: 'launch an agent', load: () => import('#cli/commands/agent/new.ts') },
    {
      usage: 'attach [name]',
      summary: 'open an agent’s window, or all windows',
      load: () => import('#cli/commands/agent/attach.ts'),
    },
    { usage: 'prompt <name> <text>', summary: 'type a prompt for an agent, and submit it', load: steer },
    { usage: 'answer <name> [keys...]', summary: 'show what an agent waits for, and answer it', load: steer },
    {
      usage: 'wait [names...]',
      summary: 'wait until agents finish, end or need you',
      load: () => import('#cli/commands/agent/wait.ts'),
    },
    {
      usage: 'summary',
      summary: 'summarize what happened, as after a night',
      load: () => import('#cli/commands/agent/summary.ts'),
    },
    { usage: 'result <name>', summary: 'print the result that an agent reported', load: result },
    { usage: 'report-result <text>', summary: 'report the result of an agent’s work', load: result },
    { usage: 'interrupt <name>', summary: 'interrupt an agent’s turn', load: steer },
    { usage: 'hold <name>', summary: 'take an agent over, so that muster leaves it alone', load: agentEdit },
    { usage: 'unhold <name>', summary: 'give a held agent back', load: agentEdit },
    { usage: 'park <name>', summary: 'park an agent until a time', load: agentEdit },
    { usage: 'unpark <name>', summary: 'end the parking of an agent or of its account', load: agentEdit },
    {
      usage: 'move <name>',
      summary: 'move an agent to another host',
      load: () => import('#cli/commands/agent/move.ts'),
    },
    { usage: 'mail', summary: 'send mail to agents, list it, take it', load: () => import('./commands/mail.ts') },
    { usage: 'bell', summary: 'wait for a doorbell, or claim it', load: () => import('./commands/bell.ts') },
    { usage: 'review', summary: 'review agents’ work, in rounds', load: () => import('./commands/review.ts') },
    { usage: 'archive <name...>', summary: 'end an agent’s CLI and hide it, keeping its work', load: agentVerb },
    {
      usage: 'restore [name...]',
      summary: 'restore agents that were archived or have ended, or a backup',
      load: agentVerb,
    },
    { usage: 'retry <name...>', summary: 'continue a failed launch or clean-up', load: agentVerb },
    { usage: 'delete <name...>', summary: 'remove an agent, and its worktree if no work is lost', load: agentVerb },
    { usage: 'rename <name> <new-name>', summary: 'rename an agent', load: agentEdit },
    { usage: 'mark <name> [letter]', summary: 'set or remove the letter that names an agent', load: agentEdit },
    { usage: 'token <name>', summary: 'print an agent’s token', load: agentEdit },
  ],
  'Fleet:': [
    { usage: 'demo', summary: 'show a fleet at work, without a model', load: () => import('./commands/demo.ts') },
    {
      usage: 'workflow',
      summary: 'manage workflows: directory, CLI and scripts',
      load: () => import('./commands/workflow.ts'),
    },
    {
      usage: 'profile',
      summary: 'variables, secrets and accounts for agents',
      load: () => import('./commands/profile.ts'),
    },
    {
      usage: 'approvals',
      summary: 'answer questions of agents by rule',
      load: () => import('./commands/workflow/approvals.ts'),
    },
    {
      usage: 'budget',
      summary: 'limit what agents use in a day',
      load: () => import('./commands/budget.ts'),
    },
    { usage: 'schedule', summary: 'launch agents at set times', load: () => import('./commands/schedule.ts') },
    { usage: 'forge', summary: 'connect GitHub, GitLab and other forges', load: () => import('./commands/forge.ts') },
    { usage: 'harness', summary: 'manage which CLIs agents run', load: () => import('./commands/harness.ts') },
    { usage: 'rules', summary: 'install signed rules for reading CLIs', load: () => import('./commands/rules.ts') },
    {
      usage: 'prs [name]',
      summary: 'list pull requests and their states',
      load: () => import('./commands/prs.ts'),
    },
    {
      usage: 'clean [names...]',
      summary: 'free disk that archived agents take',
      load: () => import('#cli/commands/agent/clean.ts'),
    },
    { usage: 'hosts', summary: 'list the computers that agents run on', load: () => import('./commands/hosts.ts') },
    { usage: 'runs [name]', summary: 'list runs of workflows’ scripts', load: () => import('./commands/runs.ts') },
    { usage: 'run <id>', summary: 'print the output of a script’s run', load: () => import('./commands/runs.ts') },
    {
      usage: 'watch',
      summary: 'show who needs you, as it happens',
      load: () => import('#cli/commands/agent/watch.ts'),
    },
    {
      usage: 'notify',
      summary: 'send a notification when an agent needs you',
      load: () => import('./commands/notify.ts'),
    },
    { usage: 'facts [name]', summary: 'list facts: what happened', load: () => import('./commands/facts.ts') },
    { usage: 'graph <machine>', summary: 'draw a state machine', load: () => import('./commands/graph.ts') },
    {
      usage: 'inspect [name...]',
      summary: 'let Stately’s inspector attach to state machines',
      load: () => import('./commands/inspect.ts'),
    },
    { usage: 'logs [process]', summary: 'read the logs of muster itself', load: () => import('./commands/logs.ts') },
    { usage: 'mcp', summary: 'serve MCP to a client that starts it', load: () => import('./commands/mcp.ts') },
    { usage: 'rpc', summary: 'call any operation of the service', load: () => import('./rpc/command.ts') },
  ],
};

const notes = `
In an agent's pane, commands act as that agent; anywhere else, as the person whose token is in MUSTER_HOME.

Environment: MUSTER_HOME  state folder (~/.local/state/muster)   MUSTER_PORT  port of the service (7433)
             MUSTER_URL   address of the service                 NO_COLOR     no colours
Topics:      muster help topics lists them, such as isolation and unattended
Exit codes:  0 done, 2 usage or invalid argument, 4 not found, 5 already exists, 6 not possible in this state,
             7 limit reached, 8 not allowed, 9 unreachable, 10 timed out, 1 anything else;
             of muster wait and new --wait: 20 ended, 21 failed, 22 waits for you, 23 gone, 24 held by a budget
`;

/** The commands by their names. */
const entryOf = new Map(
  Object.values(groups)
    .flat()
    .map((entry) => [entry.usage.split(' ')[0], entry]),
);

/**
 * Builds the command line, with the one command loaded that `argv` or a completion request names. If the first word is
 * a command, it is the only one: the others would cost it as much time as it takes.
 */
export async function buildProgram(argv: readonly string[], session: Session): Promise<Command> {
  const only = entryOf.get(argv[0]);
  if (only !== undefined) {
    const program = topCommand(session);
    (await only.load()).define(program.command(only.usage).summary(only.summary), session, argv);
    return program;
  }
  const program = topCommand(session);
  const completes = argv[0] === 'completion' || argv[0] === 'complete';
  // For completion, the command line follows `complete --`.
  const words = completes ? argv.slice(2) : argv;
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  for (const [heading, entries] of Object.entries(groups)) {
    for (const { usage, summary, load } of entries) {
      const command = program.command(usage).summary(summary).helpGroup(heading);
      if (command.name() === wanted) (await load()).define(command, session, words);
    }
  }
  if (completes) await (await import('./completion.ts')).addCompletion(program, session, words);
  else program.command('completion <shell>').summary('print a completion script');
  return program;
}

function topCommand({ io }: Session): Command {
  return new Command('muster')
    .description('Launch, watch and steer fleets of coding agents in real tmux windows.')
    .version(versionOf(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Fleet:')
    .helpCommand('help [command]', 'show help of a command, or a topic')
    .addHelpText('after', notes)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(io.stdout.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(io.stderr.columns ?? 100, 120),
    });
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
