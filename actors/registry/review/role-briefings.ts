import type { AgentRole } from '#contract/agent/agent.ts';
import { reviewerOpening } from '#contract/agent/briefing.ts';
import { isReviewRole, type ReviewRole, reviewGuides } from '#contract/agent/review-guide.ts';
import { readBriefing } from '#world/file/briefing-folder.ts';

/** What agents read about reviews, by their role: muster's words, or a person's own in their place. */
export interface RoleBriefings {
  /** What muster puts before an agent's prompt; empty if nothing. */
  atLaunch(role: AgentRole): Promise<string>;
  /** What comes with an agent's first doorbell of a review; empty if nothing does. */
  atReview(role: AgentRole): Promise<string>;
}

const files: Readonly<Record<ReviewRole, string>> = {
  AGENT_ROLE_IMPLEMENTER: 'implementer.md',
  AGENT_ROLE_REVIEWER: 'reviewer.md',
};

/** Briefings with what a person has put into a folder, which is read again each time. */
export function briefingsIn(folder: string): RoleBriefings {
  const own = (role: ReviewRole) => readBriefing(folder, files[role]);
  return {
    atLaunch: async (role) => (role === 'AGENT_ROLE_REVIEWER' ? ((await own(role)) ?? reviewerOpening) : ''),
    atReview: async (role) => {
      if (!isReviewRole(role)) return '';
      const written = await own(role);
      if (written === undefined) return reviewGuides[role];
      // A reviewer has read it before its prompt.
      return role === 'AGENT_ROLE_REVIEWER' ? '' : written;
    },
  };
}
