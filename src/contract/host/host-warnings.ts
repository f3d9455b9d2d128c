import { quoted } from '#contract/quoted.ts';

// Warnings about a host: without a capital at the start or a full stop at the end, and with commands in backticks.

/** A warning that another computer uses a host's id and key. */
export function rivalWarning({
  machine = '',
  folder = '',
}: {
  machine?: string | undefined;
  folder?: string | undefined;
}): string {
  return (
    `machine ${quoted(machine)} with the state folder ${quoted(folder)} uses the same host.id and host.key, and is ` +
    'refused: `muster doctor` says what to do'
  );
}

/** A warning about terminals that run without an agent, by the ids of their families. */
export function foundTerminalsWarning(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ', …' : '');
  const many = ids.length === 1 ? '1 terminal runs' : `${ids.length} terminals run`;
  return (
    `${many} without an agent (${shown}), because the agent was abandoned or the database does not have it, for ` +
    'example after a restore: `muster doctor` says how to see and end them'
  );
}

/** A warning that a host's agents cannot reach the gateway, and what to do. */
export function cutOffWarning({
  gatewayUrl = '',
  gatewayFault = '',
}: {
  gatewayUrl?: string | undefined;
  gatewayFault?: string | undefined;
}): string {
  return (
    `agents there cannot reach muster at ${gatewayUrl}: ${gatewayFault}. Set MUSTER_URL there to an address at which ` +
    'that host reaches the gateway, start `muster host` again, and archive and restore its agents'
  );
}
