/**
 * The first folder of every address of the page, except `/` itself. The gateway answers each address in them with the
 * page, which then shows the screen; no other address belongs to the page.
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
  'pull-requests',
  'reviews',
  'runs',
  'schedules',
  'workflows',
] as const;
