import { useQuery } from '@tanstack/react-query';

/** The state of the page's connection to the service. */
export type Connection =
  | { readonly state: 'opening' }
  | { readonly state: 'live' }
  /** The page shows the state as of `since`, in milliseconds since 1970. The next attempt is at `nextAt`. */
  | { readonly state: 'lost'; readonly since: number; readonly nextAt: number; readonly because: string }
  /** `because` is why a sign-in was refused, if it was. */
  | { readonly state: 'signed-out'; readonly because?: string };

export const connectionKey = ['connection'] as const;

const opening: Connection = { state: 'opening' };

/** The current state of the page's connection to the service. */
export function useConnection(): Connection {
  const { data } = useQuery<Connection>({
    queryKey: connectionKey,
    queryFn: () => opening,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? opening;
}
