import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { readLogRecord } from '#contract/host/log-record.ts';
import type { Host } from '#page/client/host/v1/host_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { hosts } from '#page/fleet/host-client.ts';
import '#page/parts/output.css';
import { Trouble } from '#page/parts/trouble.tsx';

/** The maximum number of records in one answer. */
const count = 200;

/** The logs of muster's own processes on a host's machine. */
export function HostLogs({ host }: { readonly host: Host }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Logs
      </button>
      {isOpen && <LogsDialog host={host} onClose={() => setOpen(false)} />}
    </>
  );
}

function LogsDialog({ host: { id: hostId, name }, onClose }: { readonly host: Host; readonly onClose: () => void }) {
  const [process, setProcess] = useState('');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['logs', hostId, process],
    queryFn: ({ signal }) => hosts.listLogRecords({ hostId, process, count }, { signal }),
    staleTime: 0,
  });
  return (
    <Dialog title={`Logs on ${name}`} onClose={onClose}>
      <div className="body form host-logs">
        <div className="pair">
          <Field label="Process">
            <select value={process} onChange={({ target }) => setProcess(target.value)}>
              <option value="">all</option>
              {[...new Set([...(data?.processes ?? []), process])].filter(Boolean).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </Field>
          <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
            Read again
          </button>
        </div>
        <Trouble error={error} />
        {data !== undefined && <Records records={data.records} />}
      </div>
    </Dialog>
  );
}

/** Log records, scrolled to the newest, which are last. */
function Records({ records }: { readonly records: readonly string[] }) {
  const place = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other records have another end
  useLayoutEffect(() => {
    if (place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [records]);
  if (records.length === 0) return <p className="muted">No logs.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre ref={place} className="output" tabIndex={0} role="log" aria-label="Log records">
      {records.map(readLogRecord).map(({ level, text, stack }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal records keep their order
        <span key={at} className="log-record" data-level={level}>
          {[text, stack].filter(Boolean).join('\n')}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
