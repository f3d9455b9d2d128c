import type { Command } from 'commander';
import type { Define } from '#cli/client/session.ts';

/** `muster service`: only its help. The program runs these commands before it loads the command line. */
export const define: Define = (command) => {
  command.description(
    'Runs muster as a service of your user, now and after each start of the machine: as a user unit of systemd, or as an agent ' +
      'of launchd. A stop, a restart or an upgrade of the service leaves the windows of agents open. After the machine has started ' +
      'again, agents are dormant, because their windows are gone: `muster restore --all` continues their conversations, ' +
      'and agents of workflows with --on-boot restore continue on their own.',
  );
  const add = (usage: string, summary: string, description: string): Command => {
    const own = command.command(usage).summary(summary).description(description);
    return own.action(() =>
      own.error(`muster service ${own.name()} must be the first words of the command line, before any flags`),
    );
  };
  add(
    'install',
    'install the service, and start it',
    'Installs the service with the settings of this terminal: its MUSTER_… variables and its PATH. Run it again to change them. On ' +
      'Linux, your services end with your last login session, unless `sudo loginctl enable-linger USER` was run once; it says so.',
  );
  add(
    'uninstall',
    'end the service, and remove it',
    'Ends the service and removes its file. State folder and windows stay.',
  );
  add(
    'status',
    'show whether the service runs',
    'Prints whether the service is installed and runs. Exits with 0 if it runs, else with 1.',
  ).option('-o, --output <format>', 'text, or json for programs');
  add('logs', 'print the output of the service', 'Prints what the service wrote, from the journal or its log file.')
    .option('-f, --follow', 'print what comes, until Ctrl-C')
    .option('-n, --lines <count>', 'how many of the newest lines (default: 100)');
};
