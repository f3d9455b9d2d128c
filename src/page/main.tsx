import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '#page/style/theme.ts';
import { startAlerts } from './alerts/alerts.ts';
import { type Connection, connectionKey } from './api/connection.ts';
import { isSignedOut, mayRetry } from './api/failure-text.ts';
import { signInByAddress } from './api/session.ts';
import { onTabMessage } from './api/tabs.ts';
import { firstLook } from './first-look.ts';
import { Refresher } from './fleet/refresher.ts';
import { lead } from './fleet/tab-leader.ts';
import { watchFleet } from './fleet/watch.ts';
import { adoptNonce } from './nonce.ts';
import { showNotice } from './parts/notices.tsx';
import { keepDocumentPrintable } from './printable-document.ts';
import { createPageRouter } from './router.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/forced-colors.css';

adoptNonce();
keepDocumentPrintable();
applyTheme();

/** Any call is the first to find that the session has ended. */
const onError = (error: Error): void => {
  const signedOut: Connection = { state: 'signed-out' };
  if (isSignedOut(error)) queries.setQueryData(connectionKey, signedOut);
};

/** Failed queries are retried this often, in milliseconds. */
const againMs = 5_000;

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // muster often runs on this machine, which is reachable without a network: never wait for the browser to be online.
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures === 0 && mayRetry(error),
      refetchOnWindowFocus: true,
      refetchInterval: ({ state: { error } }) => (error !== null && mayRetry(error) ? againMs : false),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
const router = createPageRouter(queries);
const place = document.getElementById('root');
if (place === null) throw new Error('the page has no #root');

/** Signs in with the code in the address, even if it is entered into the address bar of an open page. */
async function signIn(): Promise<void> {
  const refusal = await signInByAddress(queries);
  if (refusal !== undefined) showNotice({ tone: 'failed', text: refusal });
}

/**
 * When a hidden tab draws itself, in milliseconds, so that it is there when a person comes to it: from the first to twice that, so
 * that not all of them ask the gateway at once.
 */
const hiddenMs = 4_000;

const signedIn = signIn();
void firstLook(hiddenMs * (1 + Math.random())).then(() =>
  createRoot(place).render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  ),
);
window.addEventListener('hashchange', () => void signIn());
await signedIn;
const ours = lead();
const listener = startAlerts(
  queries,
  ours,
  (agentId) => void router.navigate({ to: '/agents/$agentId', params: { agentId } }),
);
const refresher = new Refresher(queries);
onTabMessage((key) => refresher.stale([key]));
watchFleet({ queries, lead: ours, refresher, listener });
