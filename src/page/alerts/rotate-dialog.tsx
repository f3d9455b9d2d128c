import { actFailureText } from '#page/api/failure-text.ts';
import { sessions } from '#page/api/session-client.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import { Confirm } from '#page/dialog/confirm.tsx';
import { showNotice } from '#page/parts/notices.tsx';

/** Revokes all tokens, including this browser's session. */
export function RotateDialog({ onClose }: { readonly onClose: () => void }) {
  const { mutate } = useOneAct({
    mutationFn: () => sessions.rotateTokens({}),
    onSuccess: () => window.location.assign('/'),
    onError: (error) => showNotice({ tone: 'failed', text: `Revoke all tokens: ${actFailureText(error)}` }),
  });
  const revoke = (): void => {
    mutate();
    onClose();
  };
  return (
    <Confirm
      question="Revoke all tokens?"
      what="Revokes those of all agents and of every signed-in browser, this one included, and the operator’s own; operator.token gets a new one. Running agents keep working, but cannot call muster until they are archived and restored."
      yes="Revoke"
      onYes={revoke}
      onClose={onClose}
    />
  );
}
