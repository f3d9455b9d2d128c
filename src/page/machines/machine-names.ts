/** The machines with their names for people, the most used ones first. */
export const machines = [
  { name: 'agent', label: 'Agent' },
  { name: 'firing', label: 'Firing' },
  { name: 'schedule', label: 'Schedule' },
  { name: 'doorbell', label: 'Doorbell' },
  { name: 'sweep', label: 'Sweep' },
  { name: 'review-batch', label: 'Review batch' },
  { name: 'host', label: 'Host' },
] as const;
