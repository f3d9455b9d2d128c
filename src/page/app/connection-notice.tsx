import type { Connection } from '#page/api/connection.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

const words = { opening: 'connecting …', live: 'live', lost: 'connection lost', 'signed-out': '' } as const;

/** Shows how old the page's data is, and why, if it is not live. */
export function ConnectionNotice({ connection }: { readonly connection: Connection }) {
  return (
    <>
      <output className="connection" data-state={connection.state}>
        {words[connection.state]}
      </output>
      {connection.state === 'lost' && (
        <p className="lost" role="alert">
          <b>Connection lost.</b> Reason: {connection.because}. What you see is <Elapsed since={connection.since} />{' '}
          old. Trying again …
        </p>
      )}
    </>
  );
}
