import type { Connection } from '#page/api/connection.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

/** Says whether what is shown is live. */
export function ConnectionNotice({ connection }: { readonly connection: Connection }) {
  return (
    <output className="connection" data-state={connection.state}>
      {connection.state === 'live' && 'live'}
      {connection.state === 'opening' && 'connecting …'}
      {connection.state === 'lost' && (
        <>
          Connection lost: this is as it was <Elapsed since={connection.since} /> ago. Trying again …
        </>
      )}
    </output>
  );
}
