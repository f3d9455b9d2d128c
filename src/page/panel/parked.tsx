import { type Park, ParkReason } from '#page/client/agent/v1/agent_pb.js';
import { Remaining } from '#page/parts/elapsed.tsx';
import { When } from '#page/parts/when.tsx';

const reasons: Readonly<Partial<Record<ParkReason, string>>> = {
  [ParkReason.USAGE_LIMIT]: 'usage limit',
  [ParkReason.CREDENTIAL]: 'signed out',
};

/** Why and until when an agent is parked, and what happens then. */
export function Parked({ park: { reason, account, until, resume, shownUntil, endUnknown } }: { readonly park: Park }) {
  const why = [reasons[reason] ?? 'by a person', account].filter(Boolean).join(' of ');
  if (until === '') return <>{why}, until a person ends it</>;
  if (endUnknown) {
    return (
      <>
        {why}, no end is shown: its screen is read again in <Remaining until={until} />
      </>
    );
  }
  return (
    <>
      {why}, for <Remaining until={until} /> until <When at={until} />
      {shownUntil !== '' && (
        <>
          {' '}
          (its screen shows <When at={shownUntil} />, which is too far ahead)
        </>
      )}
      , {resume ? 'then it is asked to continue' : 'then it is left to you'}
    </>
  );
}
