import { useQuery } from '@tanstack/react-query';
import { forges } from './client.ts';

/** The connected forges. */
export function useForges() {
  return useQuery({
    queryKey: ['forges'],
    queryFn: ({ signal }) => forges.listForgeConnections({}, { signal }),
  });
}
