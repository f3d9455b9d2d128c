import { createClient } from '@connectrpc/connect';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { usedText } from '#contract/budget/budget-text.ts';
import { transport } from '#page/api/clients.ts';
import { type Budget, BudgetService } from '#page/client/budget/v1/budget_pb.js';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { useAct } from './use-act.ts';

const budgets = createClient(BudgetService, transport);

const amounts = [
  ['turns', 'Turns a day', 'BUDGET_MEASURE_TURNS'],
  ['workMinutes', 'Minutes at work a day', 'BUDGET_MEASURE_WORK'],
  ['launches', 'Launches a day', 'BUDGET_MEASURE_LAUNCHES'],
] as const;

/** What an agent, or the agents of a workflow or a schedule, may use in a day: shown, set and continued. */
export function BudgetSection({ ownerId }: { readonly ownerId: string }) {
  const { data } = useQuery({
    queryKey: ['budgets'],
    queryFn: ({ signal }) => budgets.listBudgets({}, { signal }),
    staleTime: 15_000,
  });
  const { act, isBusy } = useAct(['budgets']);
  const [isOpen, setOpen] = useState(false);
  const budget = data?.budgets.find((one) => one.ownerId === ownerId);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const limits = amounts.map(([field]) => [field, Number(given.get(field))] as const);
    const clear = limits.filter(([, limit]) => limit === 0).map(([field]) => field);
    setOpen(false);
    act({
      label: 'Set the budget',
      call: () => budgets.setBudget({ ownerId, ...Object.fromEntries(limits), clear }),
      done: 'The budget is set',
    });
  };
  const proceed = (): void =>
    act({
      label: 'Continue the budget',
      call: () => budgets.continueBudget({ ownerId }),
      done: 'The budget continues',
    });
  return (
    <section className="section">
      <h3>Budget</h3>
      <Used budget={budget} />
      {isOpen ? (
        <form className="form" onSubmit={submit}>
          {amounts.map(([field, label]) => (
            <Field key={field} label={label} hint="empty: no limit">
              <input name={field} type="number" min="1" max="1000000" defaultValue={budget?.limits?.[field] || ''} />
            </Field>
          ))}
          <FormFoot submit="Set" isBusy={isBusy} onLeave={() => setOpen(false)} />
        </form>
      ) : (
        <p>
          <button type="button" className="button" disabled={data === undefined} onClick={() => setOpen(true)}>
            Set budget
          </button>{' '}
          {isUsedUp(budget) && (
            <button type="button" className="button primary" disabled={isBusy} onClick={proceed}>
              Continue
            </button>
          )}
        </p>
      )}
    </section>
  );
}

function Used({ budget }: { readonly budget: Budget | undefined }) {
  const { limits, used, spent } = budget ?? {};
  const limited = amounts.filter(([field]) => limits?.[field]);
  if (limited.length === 0) return <p className="muted">no limits</p>;
  return (
    <>
      <ul className="plain">
        {limited.map(([field, , measure]) => (
          <li key={field}>{usedText(measure, used?.[field] ?? 0, limits?.[field] ?? 0)}</li>
        ))}
      </ul>
      {spent !== undefined && (
        <p className="failure">Used up: muster types nothing to its agents until you continue.</p>
      )}
    </>
  );
}

/** Whether continuing a budget changes it. */
function isUsedUp(budget: Budget | undefined): boolean {
  const { limits, used, spent } = budget ?? {};
  return spent !== undefined || amounts.some(([field]) => limits?.[field] && (used?.[field] ?? 0) >= limits[field]);
}
