import { useQuery } from '@tanstack/react-query';

/** The state of the page's connection to the service. */
export type Connection =
  | { readonly state: 'opening' }
  | { readonly state: 'live' }
  /** What is shown is as it was at `since`, in milliseconds since 1970; the next attempt is at `nextAt`. */
  | { readonly state: 'lost'; readonly since: number; readonly nextAt: number; readonly because: string }
  /** `because` is set if a sign-in was refused. */
  | { readonly state: 'signed-out'; readonly because?: string };

export const connectionKey = ['connection'] as const;

const opening: Connection = { state: 'opening' };

/** The state of the page's connection to the service, as it changes. */
export function useConnection(): Connection {
  const { data } = useQuery<Connection>({
    queryKey: connectionKey,
    queryFn: () => opening,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? opening;
}
