import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { CheckForgeConnectionResponse, ForgeConnection } from '#page/client/forge/v1/forge_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { When } from '#page/parts/when.tsx';
import { AskForge } from './ask-forge.tsx';
import { forges } from './client.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import './pull-requests.css';
import { useForges } from './use-forges.ts';
import { kindWord } from './words.ts';

/** The connected forges, with the sources and accounts of their credentials. */
export function ForgesScreen() {
  const { data, error, isPending } = useForges();
  const [isNew, setIsNew] = useState(false);
  useKeys({ n: () => setIsNew(true) });
  const connections = data?.connections ?? [];
  return (
    <main className="page" data-scroller>
      <div className="screen-head">
        <h1>Connected forges</h1>
        <Link to="/pull-requests" className="button">
          Pull requests
        </Link>
        <button type="button" className="button primary" onClick={() => setIsNew(true)} aria-keyshortcuts="n">
          Connect a forge <kbd>n</kbd>
        </button>
      </div>
      <Trouble error={error} />
      {!isPending && connections.length === 0 && (
        <div className="empty">
          <h2>No forge is connected</h2>
          <p>Connect one to see the pull requests of agents’ branches, with their checks and reviews.</p>
        </div>
      )}
      <ul className="forges" aria-label="Forges">
        {connections.map((connection) => (
          <ForgeCard key={connection.id} connection={connection} />
        ))}
      </ul>
      {connections.length > 0 && <AskForge />}
      {isNew && <ConnectDialog onClose={() => setIsNew(false)} />}
    </main>
  );
}

function ForgeCard({ connection }: { readonly connection: ForgeConnection }) {
  const { id: connectionId, host, kind, baseAddress } = connection;
  const { act, isBusy } = useAct(['forges']);
  const [isAsking, setIsAsking] = useState(false);
  const check = useOneAct({ mutationFn: () => forges.checkForgeConnection({ connectionId }) });
  const remove = (): void => {
    setIsAsking(false);
    act({
      label: `Disconnect ${host}`,
      call: () => forges.deleteForgeConnection({ connectionId }),
      done: `${host} is no longer connected`,
    });
  };
  return (
    <li className="forge">
      <h2>{host}</h2>
      <p className="muted">
        {kindWord(kind)}
        {baseAddress !== '' && `, at ${baseAddress}`}
      </p>
      <p>Its credential is {sourceOf(connection)}.</p>
      {check.data !== undefined && <Checked answer={check.data} />}
      <Trouble error={check.error} />
      <div className="acts">
        <button
          type="button"
          className="button"
          disabled={check.isPending}
          onClick={() => check.mutate()}
          aria-label={`Check ${host}`}
        >
          {check.isPending ? 'Asking …' : 'Check'}
        </button>
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => setIsAsking(true)}
          aria-label={`Disconnect ${host}`}
        >
          Disconnect
        </button>
      </div>
      {isAsking && (
        <Confirm
          question={`Disconnect ${host}?`}
          what="Its stored credential is deleted. Known pull requests stay, but are no longer updated."
          yes="Disconnect"
          onYes={remove}
          onClose={() => setIsAsking(false)}
        />
      )}
    </li>
  );
}

function sourceOf({ credentialEnv, credentialFile, credentialCommand, credentialKept }: ForgeConnection) {
  if (credentialKept) return 'kept, encrypted';
  if (credentialEnv !== '') {
    return (
      <>
        taken from the variable <code>{credentialEnv}</code>
      </>
    );
  }
  if (credentialFile !== '') {
    return (
      <>
        read from <code>{credentialFile}</code>
      </>
    );
  }
  return (
    <>
      printed by <code>{credentialCommand.join(' ')}</code>
    </>
  );
}

function Checked({ answer }: { readonly answer: CheckForgeConnectionResponse }) {
  const { login, warnings, quotaLimit, quotaRemaining, quotaResetAt } = answer;
  return (
    <output className="checked">
      <p>
        Account: <b>{login}</b>
        {quotaLimit > 0n && (
          <span className="muted">
            , with {String(quotaRemaining)} of {String(quotaLimit)} requests left until <When at={quotaResetAt} />
          </span>
        )}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          {warning}
        </p>
      ))}
    </output>
  );
}
