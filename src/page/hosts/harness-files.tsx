import { useQuery } from '@tanstack/react-query';
import { useAct } from '#page/acts/use-act.ts';
import { type HarnessLaunch, type Host, HostState } from '#page/client/host/v1/host_pb.js';
import { hosts } from '#page/fleet/host-client.ts';
import '#page/parts/output.css';
import { Tag } from '#page/parts/tag.tsx';
import { Trouble } from '#page/parts/trouble.tsx';

/**
 * The launches from a host's rule files. A person confirms what a file says; a changed file must be confirmed again.
 */
export function HarnessFiles({ host: { id: hostId, name, state } }: { readonly host: Host }) {
  const isOnline = state === HostState.ONLINE;
  const { data, error } = useQuery({
    queryKey: ['hosts', hostId, 'launches'],
    queryFn: ({ signal }) => hosts.listHarnessLaunches({ hostId }, { signal }),
    enabled: isOnline,
    staleTime: 0,
  });
  const { act, isBusy } = useAct(['hosts']);
  if (error !== null) return <Trouble error={error} />;
  if (data === undefined || data.launches.length === 0) return null;
  const confirm = ({ harness, digest }: HarnessLaunch): void =>
    act({
      label: `Confirm ${harness}`,
      call: () => hosts.confirmHarness({ hostId, harness, digest }),
      done: `${name} now launches ${harness} as its file says`,
    });
  return (
    <section className="section" aria-label="Harness rules">
      <h3>Harness rules</h3>
      {data.launches.map((file) => (
        <details key={file.harness} className="harness-file">
          <summary>
            {file.harness}{' '}
            {file.confirmed ? <Tag tone="good" word="confirmed" /> : <Tag tone="wants" word="not confirmed" />}
          </summary>
          <p className="muted">
            <code>{file.path}</code>
          </p>
          <pre className="output">{file.launch}</pre>
          {!file.confirmed && (
            <button type="button" className="button primary" disabled={isBusy} onClick={() => confirm(file)}>
              Confirm {file.harness}
            </button>
          )}
        </details>
      ))}
    </section>
  );
}
