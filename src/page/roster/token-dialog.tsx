import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { sessions } from '#page/api/session-client.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import { Dialog } from '#page/dialog/dialog.tsx';
import { copy } from '#page/parts/copy.ts';
import { showNotice } from '#page/parts/notices.tsx';

interface TokenProps {
  readonly agentId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Issues another token for an agent, or revokes its tokens. The token is copied and never shown. */
export function TokenDialog({ agentId, name, onClose }: TokenProps) {
  const issue = (): Promise<void> =>
    copy(
      `A new token of ${name}`,
      async () => (await agents.issueAgentToken({ agentId })).token,
      ': it acts as the agent',
    );
  const revoking = useOneAct({
    mutationFn: () => sessions.rotateTokens({ agentId }),
    onSuccess() {
      showNotice({ tone: 'done', text: `The tokens of ${name} are revoked` });
      onClose();
    },
  });
  return (
    <Dialog title={`Token of ${name}`} onClose={onClose}>
      <div className="body">
        <p>Anyone who has a token of {name} can act as that agent. Revoke its tokens if one may have leaked.</p>
        <p className="muted">
          Without a token the agent works on but cannot call muster; archive and restore it to give it a new one.
        </p>
        {revoking.error !== null && (
          <p role="alert" className="failure">
            {actFailureText(revoking.error)}
          </p>
        )}
        <div className="foot">
          <button
            type="button"
            className="button danger"
            disabled={revoking.isPending}
            onClick={() => revoking.mutate()}
          >
            Revoke its tokens
          </button>
          <button type="button" className="button primary" data-first onClick={() => void issue()}>
            Copy a new token
          </button>
        </div>
      </div>
    </Dialog>
  );
}
