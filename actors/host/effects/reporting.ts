import type { Harness } from '#machines/harness/definition.ts';
import { type LaunchAddition, noAddition } from '#machines/harness/launch-addition.ts';
import { launchAddition, trustIn } from '#machines/harness/reports.ts';
import { hooksInFlags } from '#world/process/codex-hooks.ts';
import { ownPrograms } from '#world/process/own-programs.ts';

/**
 * Additions to a launch that make the CLI report its state. None if they would replace a person's setting, or
 * if the CLI would ask a person to confirm them. `program` is the CLI's path.
 */
export async function reportingOf(
  { reports }: Harness,
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<LaunchAddition> {
  const addition = launchAddition(reports, ownPrograms);
  if (Object.keys(addition.env).some((name) => environment[name] !== undefined)) return noAddition;
  if (reports?.through !== 'config') return addition;
  const hooks = await hooksInFlags(program, addition.args, environment);
  const isKnown = hooks.length === Object.keys(reports.words).length;
  return isKnown ? { ...addition, args: [...addition.args, ...trustIn(hooks)] } : noAddition;
}
