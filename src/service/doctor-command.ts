import { parseArgs } from 'node:util';
import { Failure } from '#contract/failure.ts';
import type { Config } from '#contract/process-context.ts';
import { type Check, examine } from './doctor.ts';

/**
 * `muster doctor [-o json]`: prints a line for each thing muster needs, with how to mend what is amiss. Gives the exit
 * status: 1 where something is missing that muster cannot work without.
 */
export async function runDoctor(args: readonly string[], config: Config): Promise<number> {
  const output = outputOf(args);
  const checks = await examine(config);
  const ok = checks.every(({ outcome }) => outcome !== 'fail');
  process.stdout.write(output === 'json' ? `${JSON.stringify({ ok, checks })}\n` : linesOf(checks) + verdictOf(checks));
  return ok ? 0 : 1;
}

function outputOf(args: readonly string[]): 'json' | 'text' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { output: { type: 'string', short: 'o', default: 'text' } },
    });
    if (values.output === 'json' || values.output === 'text') return values.output;
    throw new Error(`-o is ${JSON.stringify(values.output)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('invalid_argument', `${why}. Usage: muster doctor [-o text|json]`);
  }
}

/** The last line: whether muster can run here. */
function verdictOf(checks: readonly Check[]): string {
  const count = (outcome: Check['outcome']): number => checks.filter((check) => check.outcome === outcome).length;
  const warnings = count('warn');
  const fails = count('fail');
  if (fails > 0) return `\nmuster cannot run here until what failed is mended: ${fails} of ${checks.length}\n`;
  return `\nmuster can run here${warnings > 0 ? `; what is warned of is not needed for that (${warnings})` : ''}\n`;
}

function linesOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const line = ({ name, outcome, found, mend }: Check): string =>
    `${outcome.padEnd(4)}  ${name.padEnd(width)}  ${found}${mend === '' ? '' : `: ${mend}`}\n`;
  return checks.map(line).join('');
}
