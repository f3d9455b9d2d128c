import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { budgetOwner, type OwnerFlags } from '#cli/find/budget-owner.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textTable } from '#cli/print/text-table.ts';
import { atLeastOne, workMinutes } from '#cli/print/whole-number.ts';
import type { Budget } from '#contract/budget/budget.ts';
import { amountText, minutesText, ownerText, spentText } from '#contract/budget/budget-text.ts';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';

const service = 'budget.v1.BudgetService';

/** An amount of a command line; `none` for no limit. */
type Amount = number | 'none';

interface SetFlags extends OutputFlags, OwnerFlags {
  readonly turns?: Amount;
  readonly work?: Amount;
  readonly launches?: Amount;
}

/** `muster budget` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'A budget limits what an agent, or all agents of a workflow or a schedule, may use in a day: turns, time at work, launches. At 80 ' +
        '% you are notified. At 100 % muster types nothing more to the agents until you continue or raise it; nothing is interrupted or ' +
        'ended.',
    );
  defineList(command.command('list [name]').summary('list budgets, and what is used of them').alias('ls'), session);
  defineSet(command.command('set [name]').summary('limit turns, time at work or launches a day'), session);
  defineContinue(command.command('continue [name]').summary('continue a budget that is used up'), session);
};

function withOwner(command: Command): Command {
  return command
    .option('--workflow <name>', 'the budget of this workflow: of all its agents together')
    .option('--schedule <name>', 'the budget of this schedule: of its agents, and of those that they launch')
    .addOption(outputOption());
}

function defineList(command: Command, { io, client: connect }: Session): void {
  command
    .description(
      'Lists budgets with what is used of them today. With the name of an agent: only those that its work counts to.',
    )
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags) => {
      const client = connect();
      const agentId = name === undefined ? undefined : (await findAgent(client, name)).id;
      const { budgets = [] } = await client.call(`${service}/ListBudgets`, agentId === undefined ? {} : { agentId });
      const titles = ['BUDGET', 'TURNS', 'WORK', 'LAUNCHES', 'STATE'].map((title) => ({ title }));
      writeList(io, flags, budgets, () =>
        budgets.length === 0
          ? 'There are no budgets\n'
          : textTable(
              titles,
              budgets.map((one) => cellsOf(one).map((text) => ({ text: printable(text) }))),
              io.stdout.columns,
            ),
      );
    });
}

function defineSet(command: Command, { io, client: connect }: Session): void {
  withOwner(
    command
      .description('Sets limits for a day. The word none removes one. Counting begins when a budget is set.')
      .option('--turns <count>', 'turns that begin', countOrNone)
      .option('--work <time>', 'time at work of all agents added up, such as 90m or 8h', (text) =>
        text === 'none' ? text : workMinutes(text),
      )
      .option('--launches <count>', 'agents that are launched', countOrNone),
  ).action(async (name: string | undefined, { turns, work, launches, ...flags }: SetFlags) => {
    const given = Object.entries({ turns, workMinutes: work, launches }).filter(([, amount]) => amount !== undefined);
    if (given.length === 0) throw new Failure('INVALID_USAGE', 'give --turns, --work or --launches');
    const client = connect();
    const { budget } = await client.call(`${service}/SetBudget`, {
      ownerId: await budgetOwner(client, name, flags),
      ...Object.fromEntries(given.filter(([, amount]) => amount !== 'none')),
      clear: given.filter(([, amount]) => amount === 'none').map(([field]) => field as 'turns'),
    });
    writeRecord(io, flags, budget ?? {}, () => (budget === undefined ? 'It has no budget now\n' : limitsLine(budget)));
  });
}

function defineContinue(command: Command, { io, client: connect }: Session): void {
  withOwner(
    command.description(
      'Continues a budget that is used up: what is used up counts from 0 again, and its agents are released. The limits stay.',
    ),
  ).action(async (name: string | undefined, flags: OutputFlags & OwnerFlags) => {
    const client = connect();
    const ownerId = await budgetOwner(client, name, flags);
    const { budget = {} } = await client.call(`${service}/ContinueBudget`, { ownerId });
    writeRecord(io, flags, budget, () => `The budget of ${printable(ownerText(budget))} continues\n`);
  });
}

function cellsOf(budget: Budget): string[] {
  const { limits = {}, used = {}, spent } = budget;
  const of = (limit: number | undefined, amount = 0, text: (value: number) => string = String) =>
    limit === undefined ? '' : `${text(amount)} of ${text(limit)}`;
  return [
    ownerText(budget),
    of(limits.turns, used.turns),
    of(limits.workMinutes, used.workMinutes, minutesText),
    of(limits.launches, used.launches),
    spent === undefined ? '' : `held: ${spentText(spent)}`,
  ];
}

function limitsLine(budget: Budget): string {
  const { turns, workMinutes, launches } = budget.limits ?? {};
  const limits = [
    turns && amountText('BUDGET_MEASURE_TURNS', turns),
    workMinutes && amountText('BUDGET_MEASURE_WORK', workMinutes),
    launches && amountText('BUDGET_MEASURE_LAUNCHES', launches),
  ];
  return `${printable(ownerText(budget))} may use ${limits.filter(Boolean).join(', ')} a day\n`;
}

function countOrNone(text: string): Amount {
  return text === 'none' ? text : atLeastOne(text);
}
