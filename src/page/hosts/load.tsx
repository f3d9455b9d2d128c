import { byteText, percentText, readLoad, scarceFrom, type Usage } from '#contract/host/load-reading.ts';
import { type Host, HostState } from '#page/client/host/v1/host_pb.js';
import { Fact } from '#page/panel/side-panel.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Meter } from '#page/parts/meter.tsx';
import { When } from '#page/parts/when.tsx';

/** The load of a host as meters; for a lost host, its last known load. */
export function LoadMeters({ host: { state, load } }: { readonly host: Host }) {
  if (load === undefined) return <p className="muted load-text">Load unknown.</p>;
  const { processors, memory, disk } = readLoad(load);
  return (
    <>
      <Meter
        name="Load"
        share={processors?.share}
        text={processors === undefined ? '' : `${average(processors.average)} on ${processors.count} CPUs`}
        scarce="busy"
      />
      <Meter name="Memory" share={memory?.share} text={ofText(memory)} scarce="scarce" />
      <Meter
        name="Disk"
        share={disk?.share}
        text={disk === undefined ? '' : `${byteText(disk.freeBytes)} free`}
        scarce="scarce"
      />
      {state !== HostState.ONLINE && (
        <p className="muted load-text">
          Load as it was <Elapsed since={load.measuredAt} /> ago
        </p>
      )}
    </>
  );
}

/** The load of a host as text, with its system. */
export function LoadFacts({ host }: { readonly host: Host }) {
  const { state, load, system, musterVersion, startedAt } = host;
  const { processors, memory, disk } = readLoad(load ?? {});
  return (
    <>
      <Fact name="Load">
        {processors &&
          `${shareText(processors, 'busy')}: ${average(processors.average)} on ${processors.count} CPUs in the last minute`}
      </Fact>
      <Fact name="Memory">
        {memory && `${shareText(memory)}: ${ofText(memory)}, ${byteText(memory.freeBytes)} left`}
      </Fact>
      <Fact name="Disk">{disk && `${shareText(disk)}: ${ofText(disk)}, ${byteText(disk.freeBytes)} free`}</Fact>
      <Fact name="Measured">
        {load && (
          <>
            <Elapsed since={load.measuredAt} /> ago
          </>
        )}
      </Fact>
      <Fact name="System">{system}</Fact>
      <Fact name="muster">{musterVersion}</Fact>
      <Fact name={state !== HostState.ONLINE ? 'Started' : 'Up since'}>{startedAt && <When at={startedAt} />}</Fact>
    </>
  );
}

/** For example `39%` and, if there is little left, `93%, scarce`. */
function shareText({ share }: { readonly share: number }, word = 'scarce'): string {
  return `${percentText(share)}${share >= scarceFrom ? `, ${word}` : ''}`;
}

function average(load: number): string {
  return load.toFixed(load < 10 ? 2 : 1);
}

/** For example `6.1 of 15.6 GiB`. */
function ofText(usage: Usage | undefined): string {
  if (usage === undefined) return '';
  const [used, total] = [byteText(usage.usedBytes), byteText(usage.totalBytes)];
  const unit = / .*$/.exec(total)?.[0] ?? '';
  return `${used.endsWith(unit) ? used.slice(0, -unit.length) : used} of ${total}`;
}
