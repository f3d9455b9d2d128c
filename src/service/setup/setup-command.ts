import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { describeLack, installer, lackingPrograms } from '#world/install-programs.mjs';

/**
 * `muster setup`: installs the programs that muster needs and that this machine lacks, with apt-get or Homebrew. Returns the exit
 * status. @throws PROGRAM_NOT_STARTED when some are still missing, saying how to install each
 */
export async function runSetup({ terminal }: Pick<Config, 'terminal'>): Promise<number> {
  const spared = terminal === 'embedded' ? ['tmux'] : [];
  const lacking = await lackingPrograms(spared);
  const install = lacking.length > 0 ? installer() : undefined;
  if (install !== undefined) {
    process.stdout.write(`Installing ${lacking.map(({ program }) => program).join(', ')} …\n`);
    install(lacking);
  }
  const still = install === undefined ? lacking : await lackingPrograms(spared);
  if (still.length > 0) throw new Failure('PROGRAM_NOT_STARTED', still.map(describeLack).join('\n'));
  process.stdout.write('Every program that muster needs is installed. Start it with `muster start`.\n');
  return 0;
}
