import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { secretText } from '#contract/profile/secret-text.ts';
import { useAct } from '#page/acts/use-act.ts';
import type { Profile } from '#page/client/profile/v1/profile_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { profiles, useProfiles } from '#page/fleet/use-profiles.ts';
import { Fact } from '#page/panel/side-panel.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { ProfileDialog } from './profile-dialog.tsx';
import './profiles.css';

/** The profiles, with the sources of their secrets. */
export function ProfilesScreen() {
  const { data: list = [], error, isPending } = useProfiles();
  const [isNew, setIsNew] = useState(false);
  useKeys({ n: () => setIsNew(true) });
  return (
    <main className="page" data-scroller>
      <div className="profiles-head">
        <h1>Profiles</h1>
        <Link to="/workflows" className="button">
          Workflows
        </Link>
        <button type="button" className="button primary" onClick={() => setIsNew(true)} aria-keyshortcuts="n">
          New profile <kbd>n</kbd>
        </button>
      </div>
      <Trouble error={error} />
      {!isPending && list.length === 0 && (
        <div className="empty">
          <h2>No profiles yet</h2>
          <p>A profile gives the agents of a workflow or a launch variables, secrets and an account of their own.</p>
        </div>
      )}
      <ul className="profiles" aria-label="Profiles">
        {list.map((profile) => (
          <ProfileCard key={profile.id} profile={profile} />
        ))}
      </ul>
      {isNew && <ProfileDialog profile={undefined} onClose={() => setIsNew(false)} />}
    </main>
  );
}

function ProfileCard({ profile }: { readonly profile: Profile }) {
  const { id: profileId, name, account, home, environment, secrets, updatedAt } = profile;
  const { act, isBusy } = useAct(['profiles']);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const remove = (): void => {
    close();
    act({
      label: `Delete ${name}`,
      call: () => profiles.deleteProfile({ profileId }),
      done: `Profile ${name} is deleted`,
    });
  };
  return (
    <li className="profile">
      <h2>{name}</h2>
      <dl className="facts">
        <Fact name="Account">{account}</Fact>
        <Fact name="Folder of the CLI">{home && <code>{home}</code>}</Fact>
        <Fact name="Variables">{environment.join(', ')}</Fact>
        <Fact name="Secrets">{secrets.map(secretText).join(', ')}</Fact>
        <Fact name="Updated">
          <When at={updatedAt} />
        </Fact>
      </dl>
      <div className="acts">
        <button type="button" className="button" onClick={() => setOpen('edit')} aria-label={`Edit ${name}`}>
          Edit
        </button>
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => setOpen('delete')}
          aria-label={`Delete ${name}`}
        >
          Delete
        </button>
      </div>
      {open === 'edit' && <ProfileDialog profile={profile} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          question={`Delete ${name}?`}
          what="Its stored secrets are deleted too. Refused while a workflow names it, or an agent has it."
          yes="Delete"
          onYes={remove}
          onClose={close}
        />
      )}
    </li>
  );
}
