import { parseArgs } from 'node:util';
import { counted } from '#cli/print/counted.ts';
import { Failure } from '#contract/failure.ts';
import type { Check } from '#contract/host/check.ts';
import type { Config } from '#contract/process-context.ts';
import { examineMachine } from './doctor.ts';
import { checkBrowser, checkDatabase, checkPage, checkPort } from './installation-checks.ts';
import { examineHost, examineService, inShort, type Part } from './service-checks.ts';

/** A check, and its part of the service; a check of this computer has none. */
type Line = Check & { readonly part?: string };

/**
 * `muster doctor [-o json] [--host NAME]`: prints a line for each check, with how to fix what is wrong, of this
 * computer and the running service, or only of one host. Returns the exit status: 1 if muster cannot work.
 */
export async function runDoctor(args: readonly string[], config: Config): Promise<number> {
  const { output, host } = optionsOf(args);
  const { lines, shown } = await (host === undefined ? checkHere(config) : checkHost(config, host));
  const ok = lines.every(({ outcome }) => outcome !== 'fail');
  process.stdout.write(
    output === 'json' ? `${JSON.stringify({ ok, checks: lines })}\n` : linesOf(shown) + verdictOf(shown),
  );
  return ok ? 0 : 1;
}

/** All checks, and those that a person sees. */
interface Findings {
  readonly lines: readonly Line[];
  readonly shown: readonly Check[];
}

async function checkHere(config: Config): Promise<Findings> {
  const own = [
    ...(await examineMachine(config, 'all')),
    await checkDatabase(config),
    await checkPort(config),
    checkPage(),
    checkBrowser(process.env),
  ];
  const { checks, parts } = await examineService(config, process.env);
  return {
    lines: [...own, ...checks, ...parts.flatMap(linesOfPart)],
    shown: [...own, ...checks, ...parts.flatMap((part) => inShort(part, own))],
  };
}

async function checkHost(config: Config, host: string): Promise<Findings> {
  const part = await examineHost(config, process.env, host);
  return { lines: linesOfPart(part), shown: part.checks };
}

function linesOfPart({ name, checks }: Part): Line[] {
  return checks.map((check) => ({ ...check, part: name }));
}

function optionsOf(args: readonly string[]): { output: 'json' | 'text'; host: string | undefined } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { output: { type: 'string', short: 'o', default: 'text' }, host: { type: 'string' } },
    });
    const { output, host } = values;
    if (host === '') throw new Error('--host is empty');
    if (output === 'json' || output === 'text') return { output, host };
    throw new Error(`-o is ${JSON.stringify(output)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure('INVALID_USAGE', `${why}. Usage: muster doctor [-o text|json] [--host NAME]`);
  }
}

/** The last line: whether muster can run here, with the counts of the shown checks. */
function verdictOf(shown: readonly Check[]): string {
  const count = (outcome: Check['outcome']): number => shown.filter((check) => check.outcome === outcome).length;
  const warnings = count('warn');
  const fails = count('fail');
  if (fails > 0) return `\nmuster cannot run here until you fix ${counted(fails, 'failed check')}\n`;
  return `\nmuster can run here${warnings > 0 ? `: ${counted(warnings, 'warning')}, none blocking` : ''}\n`;
}

function linesOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const line = ({ name, outcome, found, mend }: Check): string =>
    `${outcome.padEnd(4)}  ${name.padEnd(width)}  ${found}${mend === '' ? '' : `: ${mend}`}\n`;
  return checks.map(line).join('');
}
