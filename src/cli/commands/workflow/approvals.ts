import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import { findWorkflow } from '#cli/find/find-workflow.ts';
import { counted } from '#cli/print/counted.ts';
import { type OutputFlags, outputOption, writeRecord } from '#cli/print/output.ts';
import { textSource } from '#cli/print/text-source.ts';
import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import { Failure } from '#contract/failure.ts';
import { defineTest, jsonIn } from './approvals-test.ts';

const service = 'approval.v1.ApprovalService';

/** `muster approvals` */
export const define: Define = (command, session) => {
  command
    .helpCommand(false)
    .description(
      'Rules of a workflow answer questions of its agents, such as whether a command may run. A rule that refuses counts before all ' +
        'others; of the others the first that matches. What no rule matches is left to a person.',
    );
  defineShow(command.command('show <workflow>').summary('print the rules of a workflow'), session);
  defineSet(command.command('set <workflow> <rules>').summary('replace the rules of a workflow'), session);
  defineAdd(command.command('add <workflow> <rule>').summary('add a rule to a workflow'), session);
  defineTest(command.command('test [agent]').summary('try rules on a question'), session);
  for (const word of ['on', 'off'] as const) defineSwitch(command.command(word), word, session);
};

function defineShow(command: Command, { io, client }: Session): void {
  command
    .description('Prints the rules of a workflow as JSON, as `set` takes them.')
    .addOption(outputOption())
    .action(async (name: string, flags: OutputFlags) => {
      const { id } = await findWorkflow(client(), name);
      const found = await client().call(`${service}/GetApprovals`, { workflowId: id });
      const note = found.enabled === false ? 'Rules are out of force: `muster approvals on`\n' : '';
      writeRecord(io, flags, found, () => `${note}${rulesText(found.rules)}`);
    });
}

function rulesText(rules: readonly ApprovalRule[] = []): string {
  return `${JSON.stringify(rules, undefined, 2)}\n`;
}

function defineSet(command: Command, { io, client }: Session): void {
  command
    .description('Replaces the rules of a workflow by a JSON list: @file, or - for standard input.')
    .addOption(outputOption())
    .action(async (name: string, text: string, flags: OutputFlags) => {
      const { id } = await findWorkflow(client(), name);
      const rules = jsonIn<ApprovalRule[]>('rules', await textSource(io).read('rules', text));
      if (!Array.isArray(rules))
        throw new Failure('INVALID_USAGE', `rules is ${JSON.stringify(rules)}: give a list of rules, or [] for none`);
      const done = await client().call(`${service}/SetApprovals`, { workflowId: id, rules });
      writeRecord(io, flags, done, () => `${counted(done.rules?.length ?? 0, 'rule')}\n`);
    });
}

function defineAdd(command: Command, { io, client }: Session): void {
  command
    .description('Adds a rule, as JSON, after the others of a workflow: such as the one that `test` proposes.')
    .addOption(outputOption())
    .action(async (name: string, text: string, flags: OutputFlags) => {
      const { id } = await findWorkflow(client(), name);
      const rule = jsonIn<ApprovalRule>('rule', await textSource(io).read('rule', text));
      const done = await client().call(`${service}/AddApproval`, { workflowId: id, rule });
      writeRecord(io, flags, done, () => `${counted(done.rules?.length ?? 0, 'rule')}\n`);
    });
}

function defineSwitch(command: Command, word: 'on' | 'off', { io, client }: Session): void {
  command
    .summary(word === 'off' ? 'put all rules out of force' : 'put rules in force again')
    .description(
      word === 'off'
        ? 'Puts the rules of all workflows out of force, on every host, until `muster approvals on`. Once it returns, no rule answers.'
        : 'Puts the rules of all workflows in force again.',
    )
    .addOption(outputOption())
    .action(async (flags: OutputFlags) => {
      const done = await client().call(`${service}/SwitchApprovals`, { enabled: word === 'on' });
      writeRecord(io, flags, done, () => `Rules are ${word === 'on' ? 'in' : 'out of'} force\n`);
    });
}
