/** The prefixes of enumeration values. */
const prefixes = [
  'AGENT_ENDING_KIND',
  'AGENT_OUTCOME',
  'AGENT_STATE',
  'AGENT_ROLE',
  'ANSWER_KIND',
  'APPROVAL_ACTION',
  'BUDGET_MEASURE',
  'CHECK_OUTCOME',
  'CHECKS',
  'DOORBELL_CAUSE',
  'DOORBELL_STATE',
  'EXPLANATION_SOURCE',
  'FORGE_KIND',
  'HOST_INVITATION_STATE',
  'HOST_STATE',
  'ISOLATION',
  'MAIL_BOX',
  'MAIL_STATE',
  'MERGEABILITY',
  'MISSED_POLICY',
  'NETWORK_ACCESS',
  'NOT_COPIED_REASON',
  'NOTICE_KIND',
  'ON_BOOT',
  'ON_USAGE_LIMIT',
  'OVERLAP_POLICY',
  'PARK_REASON',
  'PULL_REQUEST_MATTER',
  'PULL_REQUEST_STATE',
  'REPOSITORY_STATE',
  'REVIEW_AUTHOR_KIND',
  'REVIEW_DECISION',
  'REVIEW_DELIVERY_STATE',
  'REVIEW_FILE_CHANGE',
  'REVIEW_FILE_OMISSION',
  'REVIEW_LAUNCHER_KIND',
  'REVIEW_LEFT_OUT_REASON',
  'REVIEW_NOT_COUNTING',
  'REVIEW_PLACE_STATE',
  'REVIEW_STATE',
  'REVIEW_TREE_STANDING',
  'REVIEW_VERDICT',
  'RUN_SCRIPT',
  'RUN_STATE',
  'SCHEDULE_RUN_STATE',
  'VIEW',
];
const value = new RegExp(`^(?:${prefixes.join('|')})_([A-Z][A-Z_]*)$`);

/**
 * An enumeration value in words: an agent's state in capitals, such as `WAITING`, any other in lower case, such as
 * `changes requested`; undefined for any other text.
 */
export function enumWord(text: string): string | undefined {
  const word = value.exec(text)?.[1]?.replaceAll('_', ' ');
  return text.startsWith('AGENT_STATE_') ? word?.replaceAll(' ', '_') : word?.toLowerCase();
}
