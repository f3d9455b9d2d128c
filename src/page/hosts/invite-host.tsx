import { useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { hosts } from '#page/fleet/host-client.ts';
import { copy } from '#page/parts/copy.ts';
import '#page/parts/output.css';

/** Invites a machine to join: shows the line to run there, once. */
export function InviteHost() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Invite a machine
      </button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { act, isBusy } = useAct(['hosts']);
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ readonly command: string; readonly notice: string }>();
  const invite = (): void =>
    act({
      label: 'Invite a machine',
      call: async () => setMade(await hosts.inviteHost({ name: name.trim() })),
      done: 'A machine is invited',
    });
  return (
    <Dialog title="Invite a machine" onClose={onClose}>
      {made === undefined ? (
        <form
          className="body form"
          onSubmit={(event) => {
            event.preventDefault();
            invite();
          }}
        >
          <Field label="Name" hint="The name that the host gets. Without one, it has the machine’s own.">
            <input value={name} onChange={({ target }) => setName(target.value)} maxLength={255} />
          </Field>
          <button type="submit" className="button primary" disabled={isBusy}>
            Invite
          </button>
        </form>
      ) : (
        <div className="body form">
          <p>Run this line on the other machine. It works once, for 15 minutes, and is not shown again.</p>
          <pre className="output">{made.command}</pre>
          {made.notice !== '' && (
            <p className="failure" role="status">
              {made.notice}
            </p>
          )}
          <button
            type="button"
            className="button primary"
            data-first
            onClick={() => void copy('The line is', async () => made.command)}
          >
            Copy
          </button>
        </div>
      )}
    </Dialog>
  );
}
