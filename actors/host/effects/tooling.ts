import { join } from 'node:path';
import type { Launch } from '#contract/wire/agent-record.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { type LaunchAddition, noAddition } from '#machines/harness/launch-addition.ts';
import { settingsText, toolsAddition } from '#machines/harness/tools.ts';
import { isAnyThere, writeRootSettings } from '#world/file/root-settings.ts';
import { ownPrograms } from '#world/process/own-programs.ts';

/**
 * Additions to a launch that give its CLI muster's tools. None if they would replace a person's setting. For
 * CLIs that read tools only from a settings file, muster writes one in `folder`.
 */
export function toolingOf(
  { name, tools }: Harness,
  { preApprovedTools = [] }: Pick<Launch, 'preApprovedTools'>,
  environment: Readonly<Record<string, string>>,
  folder: string,
): LaunchAddition {
  const { muster } = ownPrograms;
  // Agents of workflows that approve other tools have their own file.
  const file = join(folder, `${[name, ...preApprovedTools.toSorted()].join('+')}.json`);
  const addition = toolsAddition(tools, { muster, file, preApproved: preApprovedTools });
  const isSet = (variable: string) => environment[variable] !== undefined;
  if (Object.keys(addition.env).some(isSet)) return noAddition;
  if (tools?.through !== 'file') return addition;
  if (tools.unless.variables.some(isSet) || isAnyThere(tools.unless.files)) return noAddition;
  return writeRootSettings(file, settingsText(muster, preApprovedTools)) ? addition : noAddition;
}
