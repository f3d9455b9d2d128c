import { finalStatuses, type ServiceDefinition } from './service-definition.ts';

/**
 * The unit of a service for the systemd of a user. A stop ends muster alone (`KillMode=process`): terminals of agents
 * are in the unit's control group, and go on. An agent that runs out of memory must not stop the service.
 */
export function systemdUnit({ description, argv, environment }: ServiceDefinition): string {
  return [
    '[Unit]',
    `Description=${plain(description)}`,
    'StartLimitIntervalSec=300',
    'StartLimitBurst=10',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${argv.map(argument).join(' ')}`,
    ...Object.entries(environment).map(([name, value]) => environmentLine(name, value)),
    'Restart=on-failure',
    'RestartSec=5',
    `RestartPreventExitStatus=${finalStatuses.join(' ')}`,
    'KillMode=process',
    'TimeoutStopSec=30',
    'OOMPolicy=continue',
    'TasksMax=infinity',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** The line of a unit that sets a variable. */
export function environmentLine(name: string, value: string): string {
  return `Environment=${quotedText(`${name}=${value}`)}`;
}

/** An argument of a command line, in which systemd would replace `$NAME` too. */
const argument = (text: string) => quotedText(text).replaceAll('$', '$$$$');

/** Escapes a text so that systemd reads it unchanged. */
function quotedText(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped.replaceAll('%', '%%')}"`;
}

const plain = (text: string) => text.replace(/\s+/g, ' ').replaceAll('%', '%%');
