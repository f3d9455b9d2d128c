import type { AgentRole } from '#contract/agent/agent.ts';
import { type BriefedRole, briefingFiles, usualHalf } from '#contract/agent/briefing.ts';
import { readBriefing } from '#world/file/briefing-folder.ts';

/** Finds a role's half of the review briefing: what a person has put into a folder, read anew each time, or else muster's own. */
export function halvesIn(folder: string): (role: AgentRole) => Promise<string> {
  return async (role) => {
    if (!isBriefed(role)) return '';
    return (await readBriefing(folder, briefingFiles[role])) ?? usualHalf[role];
  };
}

function isBriefed(role: AgentRole): role is BriefedRole {
  return role in briefingFiles;
}
