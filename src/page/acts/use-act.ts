import { useQueryClient } from '@tanstack/react-query';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import { showNotice } from '#page/parts/notices.tsx';

/** A button's action, the notice of its success, and the start of the notice of its failure. */
export interface ButtonAction<Answer> {
  readonly label: string;
  readonly call: () => Promise<Answer>;
  readonly done: string | ((answer: Answer) => string);
}

/** Runs the actions of buttons, shows their results, and refetches the queries with these keys. */
export function useAct(...stale: readonly (readonly string[])[]) {
  const queries = useQueryClient();
  const { mutate, isPending } = useOneAct({
    mutationFn: async ({ call, done }: ButtonAction<unknown>) => {
      const answer = await call();
      return typeof done === 'string' ? done : done(answer);
    },
    onSuccess: (text) => showNotice({ tone: 'done', text }),
    onError: (error, { label }) => showNotice({ tone: 'failed', text: `${label}: ${actFailureText(error)}` }),
    onSettled: () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const act = <Answer>(doing: ButtonAction<Answer>): void => mutate(doing as ButtonAction<unknown>);
  return { act, isBusy: isPending };
}
