/** The screens that the bar at the top leads to, in its order, and the addresses at which each of them is the one that is shown. */
export const screens = [
  { to: '/', label: 'Agents', isAt: (path: string) => path === '/' || path.startsWith('/agents') },
  { to: '/archived', label: 'Archived', isAt: (path: string) => path.startsWith('/archived') },
  { to: '/schedules', label: 'Schedules', isAt: (path: string) => path.startsWith('/schedules') },
  { to: '/machines', label: 'Machines', isAt: (path: string) => path.startsWith('/machines') },
] as const;
