import { type FormEvent, useState } from 'react';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Host } from '#page/client/host/v1/host_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { hosts } from '#page/fleet/host-client.ts';
import { useKeys } from '#page/parts/keys.ts';
import { showNotice } from '#page/parts/notices.tsx';

/** The limits of a host as the form has them: empty for the default. */
const limits = [
  ['patienceSeconds', 'Lost after silence of', 'Seconds, such as 14400 for a laptop that sleeps. Empty: the default.'],
  ['maxAgents', 'Agents at most', 'Not counting archived ones. Empty: no limit.'],
  ['maxLaunches', 'Launches at once', 'A launch without room waits. Empty: the default.'],
  ['maxSetups', 'Setup scripts at once', 'Empty: the default.'],
  ['maxAtWork', 'Agents at work at most', 'Launches wait from there on. Empty: no limit.'],
  ['minDiskFreeMib', 'Disk to keep free', 'In MiB: below it, launches wait. Empty: the default.'],
] as const;

type Limit = (typeof limits)[number][0];

/** The button that opens the labels and limits of a host. */
export function HostSettings({ host }: { readonly host: Host }) {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  useKeys({ e: open });
  return (
    <>
      <button type="button" className="button" onClick={open} aria-keyshortcuts="e">
        Settings <kbd>e</kbd>
      </button>
      {isOpen && <SettingsDialog host={host} onClose={() => setOpen(false)} />}
    </>
  );
}

function SettingsDialog({ host, onClose }: { readonly host: Host; readonly onClose: () => void }) {
  const [labels, setLabels] = useState(host.labels.join(' '));
  const [given, setGiven] = useState<Readonly<Record<Limit, string>>>({
    patienceSeconds: String(host.patienceSeconds || ''),
    maxAgents: String(host.maxAgents || ''),
    maxLaunches: String(host.maxLaunches || ''),
    maxSetups: String(host.maxSetups || ''),
    maxAtWork: String(host.maxAtWork || ''),
    minDiskFreeMib: String(host.minDiskFreeMib || ''),
  });
  const { mutate, isPending, error } = useOneAct({
    mutationFn: () => hosts.updateHost(requestOf(host, labels, given)),
    onSuccess: () => {
      showNotice({ tone: 'done', text: `${host.name} is changed` });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(undefined);
  };
  return (
    <Dialog title={`Settings of ${host.name}`} onClose={onClose}>
      <form className="body form" onSubmit={submit}>
        <Field label="Labels" hint="Such as gpu=yes zone=home. Launches and workflows select hosts by them.">
          <input value={labels} onChange={({ target }) => setLabels(target.value)} />
        </Field>
        {limits.map(([limit, label, hint]) => (
          <Field key={limit} label={label} hint={hint}>
            <input
              inputMode="numeric"
              pattern="[0-9]*"
              value={given[limit]}
              onChange={({ target }) => setGiven({ ...given, [limit]: target.value })}
            />
          </Field>
        ))}
        {error !== null && (
          <p role="alert" className="wrong">
            {actFailureText(error)}
          </p>
        )}
        <FormFoot submit="Save" isBusy={isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** The change from what a host has to what the form says. */
function requestOf(host: Host, text: string, given: Readonly<Record<Limit, string>>) {
  const labels = text.split(/\s+/).filter((word) => word !== '');
  const keys = new Set(labels.map(keyOf));
  const named = limits.map(([limit]) => [limit, Number(given[limit])] as const);
  // Unchanged settings are left out, so that a default remains one.
  const changed = named.filter(([limit, value]) => value !== 0 && value !== host[limit]);
  return {
    hostId: host.id,
    setLabels: labels,
    removeLabels: host.labels.map(keyOf).filter((key) => !keys.has(key)),
    ...(Object.fromEntries(changed) as Partial<Record<Limit, number>>),
    clear: named.filter(([, value]) => value === 0).map(([limit]) => limit as string),
  };
}

function keyOf(label: string): string {
  return label.split('=', 1)[0] ?? '';
}
