/**
 * The first path segment of each screen's address, except `/` itself. The gateway answers every address below these
 * with the page, which then shows the screen. No other address belongs to the page.
 */
export const pageFolders = [
  'agents',
  'archived',
  'doctor',
  'facts',
  'figures',
  'hosts',
  'machines',
  'mail',
  'profiles',
  'pull-requests',
  'reviews',
  'runs',
  'schedules',
  'summary',
  'workflows',
] as const;
