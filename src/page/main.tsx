import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { startAlerts } from './alerts/alerts.ts';
import { signInByAddress } from './api/session.ts';
import { applyTheme } from './app/theme.ts';
import { lead } from './fleet/lead.ts';
import { watchFleet } from './fleet/watch.ts';
import { adoptNonce } from './nonce.ts';
import { createPageRouter } from './router.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';

adoptNonce();
applyTheme();

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: 1, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
const router = createPageRouter(queries);
const place = document.getElementById('root');
if (place === null) throw new Error('the page has no #root');

const signedIn = signInByAddress(queries);
createRoot(place).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
await signedIn;
const ours = lead();
startAlerts(queries, ours, (agentId) => void router.navigate({ to: '/agents/$agentId', params: { agentId } }));
watchFleet(queries, ours);
