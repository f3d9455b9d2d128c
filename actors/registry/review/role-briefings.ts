import type { AgentRole } from '#contract/agent/agent.ts';
import { reviewerOpening } from '#contract/agent/briefing.ts';
import { isReviewRole, type ReviewRole, reviewGuides } from '#contract/agent/review-guide.ts';
import { readBriefing } from '#world/file/briefing-folder.ts';

/** What agents read about reviews, by their role: muster's text, or a person's own text instead. */
export interface RoleBriefings {
  /** The text before an agent's prompt at launch; may be empty. */
  atLaunch(role: AgentRole): Promise<string>;
  /** The text with an agent's first doorbell for a review; may be empty. */
  atReview(role: AgentRole): Promise<string>;
}

const files: Readonly<Record<ReviewRole, string>> = {
  AGENT_ROLE_IMPLEMENTER: 'implementer.md',
  AGENT_ROLE_REVIEWER: 'reviewer.md',
};

/** Briefings with a person's own texts from a folder, which is read again each time. */
export function briefingsIn(folder: string): RoleBriefings {
  const own = (role: ReviewRole) => readBriefing(folder, files[role]);
  return {
    atLaunch: async (role) => (role === 'AGENT_ROLE_REVIEWER' ? ((await own(role)) ?? reviewerOpening) : ''),
    atReview: async (role) => {
      if (!isReviewRole(role)) return '';
      const written = await own(role);
      if (written === undefined) return reviewGuides[role];
      // A reviewer has read it at launch.
      return role === 'AGENT_ROLE_REVIEWER' ? '' : written;
    },
  };
}
