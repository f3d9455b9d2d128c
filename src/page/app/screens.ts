/** The screens in the navigation bar, in order, and the addresses at which each is the current one. */
export const screens = [
  { to: '/', label: 'Agents', isAt: (path: string) => path === '/' || path.startsWith('/agents') },
  { to: '/summary', label: 'Summary', isAt: (path: string) => path.startsWith('/summary') },
  { to: '/archived', label: 'Archived', isAt: (path: string) => path.startsWith('/archived') },
  { to: '/workflows', label: 'Workflows', isAt: (path: string) => path.startsWith('/workflows') },
  { to: '/schedules', label: 'Schedules', isAt: (path: string) => path.startsWith('/schedules') },
  { to: '/mail', label: 'Mail', isAt: (path: string) => path.startsWith('/mail') },
  { to: '/pull-requests', label: 'Pull requests', isAt: (path: string) => path.startsWith('/pull-requests') },
  { to: '/runs', label: 'Runs', isAt: (path: string) => path.startsWith('/runs') },
  { to: '/facts', label: 'Facts', isAt: (path: string) => path.startsWith('/facts') },
  { to: '/hosts', label: 'Hosts', isAt: (path: string) => path.startsWith('/hosts') },
  { to: '/machines', label: 'State machines', isAt: (path: string) => path.startsWith('/machines') },
  { to: '/doctor', label: 'Doctor', isAt: (path: string) => path.startsWith('/doctor') },
] as const;
