import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { installMs } from '#test/support/npm-package.ts';
import { claude } from './cli/claude.ts';
import { codex } from './cli/codex.ts';
import { gemini } from './cli/gemini.ts';
import { opencode } from './cli/opencode.ts';
import { installedProgram } from './install.ts';
import { type Lab, startLab } from './lab.ts';
import type { LabAgent } from './lab-agent.ts';
import { callTool } from './tool-call.ts';

for (const cli of [claude, codex, gemini, opencode]) {
  describe(`an agent on the real ${cli.harness}, given muster’s tools`, function () {
    this.timeout(180_000);
    let lab: Lab;
    let agent: LabAgent;

    before(async function () {
      this.timeout(installMs);
      if (cli === gemini && process.getuid?.() !== 0) this.skip();
      lab = await startLab(cli, await installedProgram(cli.harness));
      cli.trust?.(lab.home, lab.repository);
    });
    after(async () => {
      await lab?.stop();
      expect(lab?.model.faults.join('\n')).to.equal('');
    });

    const call = (tool: string, input: object): Promise<string> => callTool(lab.model, agent, tool, input);

    const child = { prompt: 'Look over its shoulder.', title: 'launched-by-it' };

    it('calls what reads without asking a person, as the agent that it is, and asks before it launches', async () => {
      agent = await lab.launch('Say hello. #reply#', 'repository');
      await agent.until('IDLE');
      const { name = '' } = await agent.row();
      expect(await call('list_agents', {}))
        .to.include(agent.id)
        .and.to.include(name);
      const request = { ...child, workflowId: lab.workflowId, parentAgentId: agent.id };
      await agent.say(`#call create_agent ${JSON.stringify(request)}#`);
      await moment('a question', () => agent.untold.some((move) => move.startsWith('WAITING')), 120_000).catch(() => {
        throw new Error(`it asks nothing but ${agent.untold}; the pane shows:\n${agent.screen()}`);
      });
      expect(await lab.agents()).not.to.have.property('launched-by-it');
    });

    it('asks nothing if the workflow says that it needs not', async () => {
      const { workflowId } = lab;
      const approved = { workflowId, preApprovedTools: ['create_agent'] };
      await lab.call('workflow.v1.WorkflowService/UpdateWorkflow', approved);
      agent = await lab.launch('Say hello. #reply#', 'repository');
      await agent.until('IDLE');
      const answer = await call('create_agent', { ...child, workflowId, parentAgentId: agent.id });
      const made = (await lab.agents())['launched-by-it'];
      expect(made).to.include({ parentAgentId: agent.id, spawnedByAgentId: agent.id });
      expect(answer).to.include(made?.id);
    });
  });
}
