import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { tell } from '#page/parts/notices.tsx';

/** Writes a prompt to an agent. What was refused stays, to be sent again. */
export function PromptBox({ agent: { id: agentId, name } }: { readonly agent: Agent }) {
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: (prompt: string) => agents.promptAgent({ agentId, prompt }),
    onSuccess: () => {
      setText('');
      tell({ tone: 'done', text: `${name} has taken the prompt` });
    },
  });
  const submit = (): void => {
    if (text.trim() !== '' && !send.isPending) send.mutate(text);
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
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      {send.error !== null && (
        <p role="alert" className="failure">
          {failureText(send.error)}
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
