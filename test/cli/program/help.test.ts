import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Command } from 'commander';
import { harnessNames, machineNames } from '#cli/client/built-in.ts';
import { processIo } from '#cli/client/io.ts';
import { openSession } from '#cli/client/session.ts';
import { buildProgram } from '#cli/program.ts';
import { listedOperations } from '#cli/rpc/listed-operation.ts';
import { Notify } from '#contract/fact/notify.ts';
import { meaningsOf, messageMeta } from '#contract/message.ts';
import { createWorkflow, updateWorkflow } from '#contract/operations/workflow.ts';
import { AgentsMayLaunch, WorkflowScripts } from '#contract/workflow.ts';
import { machineNames as drawn } from '#machines/chart/definitions.ts';
import { builtIn } from '#machines/harness/table.ts';
import { runInside } from '../command-line.ts';

async function helpOf(...command: string[]): Promise<string> {
  return (await runInside([...command, '--help'])).out.replaceAll(/\s+/g, ' ');
}

describe('the help', () => {
  it('lists the built-in harnesses and the machines', async () => {
    expect(harnessNames).to.deep.equal(builtIn.all().map(({ name }) => name));
    expect(machineNames).to.deep.equal(drawn);
    expect(await helpOf('new')).to.include(harnessNames.join(', '));
    expect(await helpOf('workflow', 'create')).to.include(harnessNames.join(', '));
    expect(await helpOf('graph')).to.include(`MACHINE is one of ${machineNames.join(', ')}.`);
  });

  it('refuses a word that is neither a command nor a topic', async () => {
    const { code, out, err } = await runInside(['help', 'nonsense']);
    expect({ code, out }).to.deep.equal({ code: 2, out: '' });
    expect(err).to.include('There is no command or topic "nonsense"').and.to.include('muster help topics');
    for (const words of [
      ['help', 'nonsense', '-o', 'json'],
      ['nonsense', '--help'],
    ])
      expect((await runInside(words)).err, words.join(' ')).to.include('There is no command or topic');
    expect((await runInside(['help', 'help'])).code).to.equal(0);
    expect((await runInside(['help', 'ls'])).out).to.include('Usage: muster ls');
    expect((await runInside(['help', 'hosts'])).code).to.equal(0);
  });

  it('describes every command and every flag of each', async () => {
    const session = openSession(processIo(), () => Promise.reject(new Error('nothing is asked of this machine')));
    const names = (await buildProgram([], session)).commands.map((command) => command.name());
    const everyOperation = listedOperations().map(({ command }) => command);
    const bare: string[] = [];
    let flags = 0;
    const walk = (command: Command, path: string): void => {
      const help = command.createHelp();
      if (command.description() === '' && command.name() !== 'help') bare.push(path);
      for (const option of help.visibleOptions(command)) {
        flags += 1;
        const meaning = option.description.replace(/(; )?(required|may be repeated)/g, '');
        if (meaning === '' || help.optionDescription(option) === '') bare.push(`${path} ${option.flags}`);
      }
      for (const inner of command.commands) walk(inner, `${path} ${inner.name()}`);
    };
    for (const name of names) {
      const program = await buildProgram([name, ...(name === 'rpc' ? everyOperation : [name])], session);
      const command = program.commands.find((one) => one.name() === name);
      if (command !== undefined) walk(command, name);
    }
    expect(bare).to.deep.equal([]);
    expect(flags).to.be.above(500);
  });

  it('describes a command group', async () => {
    const told = async (...words: string[]) => (await runInside(words)).out;
    expect(await told('help', 'mail', 'send'))
      .to.equal(await told('mail', 'send', '--help'))
      .and.to.include('--in-reply-to');
    expect(await told('help', 'mail')).to.equal(await told('mail', '--help'));
  });

  it('explains each field of a workflow, and no others', async () => {
    const [created, edited] = [await helpOf('workflow', 'create'), await helpOf('workflow', 'edit')];
    const { name: _, ...ofCreate } = meaningsOf(createWorkflow.request);
    const { workflowId: __, ...ofUpdate } = meaningsOf(updateWorkflow.request);
    const inside = [WorkflowScripts, Notify, AgentsMayLaunch].flatMap((type) =>
      Object.values(messageMeta(type)?.meanings ?? {}),
    );
    for (const meaning of [...Object.values(ofCreate), ...inside]) expect(created).to.include(meaning.slice(0, -1));
    for (const meaning of [...Object.values(ofUpdate), ...inside]) expect(edited).to.include(meaning.slice(0, -1));
  });

  it('lists every setting of each process, as the README does', async () => {
    const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const settingsIn = (text: string) => [...new Set(text.match(/MUSTER_[A-Z_]+(?![A-Z_0-9])/g))].toSorted();
    const read = settingsIn(textOf('src/service/config.ts'));
    expect(read).to.have.length.above(10);
    for (const name of ['start', 'gateway', 'registry', 'host', 'doctor', 'probe']) {
      expect(settingsIn(await helpOf(name)), name).to.deep.equal(read);
    }
    for (const name of ['backup', 'migrate-database']) {
      const help = await helpOf(name);
      expect(settingsIn(help), name).to.deep.equal(read.filter((one) => /_(HOME|DATABASE\w*)$/.test(one)));
      expect(help).to.include('muster start --help lists all settings');
    }
    const [, table = ''] = /\n## Settings\n(.*?)\n## /s.exec(textOf('README.md')) ?? [];
    expect(settingsIn(table)).to.deep.equal(read);
  });
});
