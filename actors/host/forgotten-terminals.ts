import type { Log } from '#contract/process-context.ts';
import type { Terminals } from '#world/terminal.ts';
import type { RegistryClient } from './registry-journal.ts';
import { inTurn } from './terminal-turn.ts';

/**
 * Ends the terminals of this installation of whose family no agent is left: a host that died while it closed one, or that
 * was away while its agents went, left them. No other terminal is touched.
 */
export async function endForgottenTerminals(terminals: Terminals, registry: RegistryClient, log: Log): Promise<void> {
  const running = await terminals.running();
  if (running.length === 0) return;
  const left = new Set((await registry.families(running)).left);
  for (const family of await terminals.own(running.filter((one) => !left.has(one)))) {
    log.warn({ family }, 'a terminal whose agents are all gone is ended');
    await inTurn(family, () => terminals.end(family));
  }
}
