import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { SettingsMenu } from './alerts/settings-menu.tsx';
import { NoScreen } from './app/no-screen.tsx';
import { Shell } from './app/shell.tsx';
import { AgentPanel } from './roster/agent-panel.tsx';
import { readFilterSearch } from './roster/filter.ts';
import { RosterScreen } from './roster/roster-screen.tsx';

/** The props that the router passes to every screen. */
interface PageContext {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<PageContext>()({
  component: () => <Shell menu={<SettingsMenu />} />,
  notFoundComponent: NoScreen,
});

/** A parent route, so that the list of agents stays mounted while agents are selected. */
const roster = createRoute({
  getParentRoute: () => root,
  id: 'roster',
  validateSearch: readFilterSearch,
  search: { middlewares: [retainSearchParams(['q', 'state', 'project', 'workflow', 'host', 'hidden'])] },
  component: RosterScreen,
});
const nobody = createRoute({ getParentRoute: () => roster, path: '/', component: () => null });
const agent = createRoute({ getParentRoute: () => roster, path: '/agents/$agentId', component: AgentPanel });

const pane = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId/pane',
  component: lazyRouteComponent(() => import('./pane/pane-screen.tsx'), 'PaneScreen'),
});

const review = createRoute({
  getParentRoute: () => root,
  path: '/agents/$agentId/review',
  component: lazyRouteComponent(() => import('./review/review-screen.tsx'), 'ReviewScreen'),
});

const archived = createRoute({
  getParentRoute: () => root,
  path: '/archived',
  component: lazyRouteComponent(() => import('./archived/archived-screen.tsx'), 'ArchivedScreen'),
});

const summary = createRoute({
  getParentRoute: () => root,
  path: '/summary',
  component: lazyRouteComponent(() => import('./summary/summary-screen.tsx'), 'SummaryScreen'),
});

const machines = createRoute({
  getParentRoute: () => root,
  path: '/machines',
  beforeLoad: () => {
    throw redirect({ to: '/machines/$machine', params: { machine: 'agent' }, replace: true });
  },
});

const machine = createRoute({
  getParentRoute: () => root,
  path: '/machines/$machine',
  validateSearch: momentOf,
  component: lazyRouteComponent(() => import('./machines/machine-screen.tsx'), 'MachineScreen'),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  component: lazyRouteComponent(() => import('./schedules/schedules-screen.tsx'), 'SchedulesScreen'),
});
const schedule = createRoute({
  getParentRoute: () => schedules,
  path: '$scheduleId',
  component: lazyRouteComponent(() => import('./schedules/schedule-panel.tsx'), 'SchedulePanel'),
});

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/workflows',
  component: lazyRouteComponent(() => import('./workflows/workflows-screen.tsx'), 'WorkflowsScreen'),
});
const workflow = createRoute({
  getParentRoute: () => workflows,
  path: '$workflowId',
  component: lazyRouteComponent(() => import('./workflows/workflow-panel.tsx'), 'WorkflowPanel'),
});

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mail',
  component: lazyRouteComponent(() => import('./mail/mail-screen.tsx'), 'MailScreen'),
});
const thread = createRoute({
  getParentRoute: () => mail,
  path: '$mailId',
  component: lazyRouteComponent(() => import('./mail/thread-panel.tsx'), 'ThreadPanel'),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  component: lazyRouteComponent(() => import('./runs/runs-screen.tsx'), 'RunsScreen'),
});
const run = createRoute({
  getParentRoute: () => runs,
  path: '$runId',
  component: lazyRouteComponent(() => import('./runs/run-panel.tsx'), 'RunPanel'),
});

const facts = createRoute({
  getParentRoute: () => root,
  path: '/facts',
  validateSearch: ({ about }: Readonly<Record<string, unknown>>): { readonly about?: string } =>
    typeof about === 'string' && about !== '' ? { about } : {},
  component: lazyRouteComponent(() => import('./facts/facts-screen.tsx'), 'FactsScreen'),
});

const doctor = createRoute({
  getParentRoute: () => root,
  path: '/doctor',
  component: lazyRouteComponent(() => import('./doctor/doctor-screen.tsx'), 'DoctorScreen'),
});

const hosts = createRoute({
  getParentRoute: () => root,
  path: '/hosts',
  component: lazyRouteComponent(() => import('./hosts/hosts-screen.tsx'), 'HostsScreen'),
});
const host = createRoute({
  getParentRoute: () => hosts,
  path: '$hostId',
  component: lazyRouteComponent(() => import('./hosts/host-panel.tsx'), 'HostPanel'),
});

const pulls = createRoute({
  getParentRoute: () => root,
  path: '/pull-requests',
  component: lazyRouteComponent(() => import('./pull-requests/pull-requests-screen.tsx'), 'PullRequestsScreen'),
});
const forges = createRoute({
  getParentRoute: () => root,
  path: '/pull-requests/forges',
  component: lazyRouteComponent(() => import('./pull-requests/forges-screen.tsx'), 'ForgesScreen'),
});

const profiles = createRoute({
  getParentRoute: () => root,
  path: '/profiles',
  component: lazyRouteComponent(() => import('./profiles/profiles-screen.tsx'), 'ProfilesScreen'),
});

const lists = [
  workflows.addChildren([workflow]),
  schedules.addChildren([schedule]),
  mail.addChildren([thread]),
  runs.addChildren([run]),
  facts,
  hosts.addChildren([host]),
  doctor,
  pulls,
  forges,
  profiles,
] as const;

const routes = root.addChildren([
  roster.addChildren([nobody, agent]),
  pane,
  review,
  archived,
  summary,
  machines,
  machine,
  ...lists,
]);

/** The part of a machine that an address selects. */
interface MachineSearch {
  /** The instance, and the transition after which it is shown. */
  readonly id?: string;
  readonly seq?: number;
  /** The state to which the list of instances is narrowed. */
  readonly state?: string;
}

/** Reads the selected part of a machine from an address. Invalid parts are ignored. */
function momentOf({ id, seq, state }: Readonly<Record<string, unknown>>): MachineSearch {
  const place = Number(seq);
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
    ...(Number.isSafeInteger(place) && place > 0 ? { seq: place } : {}),
    ...(typeof state === 'string' && state !== '' ? { state } : {}),
  };
}

/** The router with all screens. Each screen but the roster is loaded when it is first opened. */
export function createPageRouter(queries: QueryClient) {
  return createRouter({ routeTree: routes, context: { queries }, defaultPreload: 'intent' });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
