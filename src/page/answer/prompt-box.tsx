import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { useDraft } from '#page/dialog/use-draft.ts';
import { showNotice } from '#page/parts/notices.tsx';

/**
 * Sends a prompt to an agent. A refused prompt stays in the field, and an unsent draft is kept until the person
 * returns.
 */
export function PromptBox({ agent: { id: agentId, name } }: { readonly agent: Agent }) {
  const { draft: text, write, clear } = useDraft(`prompt ${agentId}`, '');
  const send = useOneAct({
    mutationFn: (prompt: string) => agents.promptAgent({ agentId, prompt }),
    onSuccess: () => {
      clear();
      showNotice({ tone: 'done', text: `${name} accepted the prompt` });
    },
  });
  const submit = (): void => {
    if (text.trim() !== '') send.mutate(text);
  };
  return (
    <form
      className="prompt"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor="prompt">
        Prompt <kbd>p</kbd>
      </label>
      <textarea
        id="prompt"
        rows={text.includes('\n') ? 5 : 2}
        value={text}
        placeholder={`Tell ${name} what to do`}
        onChange={(event) => write(event.target.value)}
        dir="auto"
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      {send.error !== null && (
        <p role="alert" className="failure">
          {actFailureText(send.error)}
        </p>
      )}
      <div className="foot">
        <span className="hint">
          <kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> is a new line
        </span>
        <button type="submit" className="button" disabled={send.isPending || text.trim() === ''}>
          {send.isPending ? 'Typing it …' : 'Send'}
        </button>
      </div>
    </form>
  );
}
