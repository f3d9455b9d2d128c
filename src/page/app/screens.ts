/** The screens that the bar at the top leads to, in its order. */
export const screens = [
  { to: '/', label: 'Agents' },
  { to: '/archived', label: 'Archived' },
] as const;
