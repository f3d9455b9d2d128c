import type { Connection } from '#page/api/connection.ts';
import { Elapsed } from '#page/parts/elapsed.tsx';

const words = { opening: 'connecting …', live: 'live', lost: 'connection lost', 'signed-out': '' } as const;

/** Says whether what is shown is live; if it is not, how old it is and why. */
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
