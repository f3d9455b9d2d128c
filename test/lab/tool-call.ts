import type { LabAgent } from './lab-agent.ts';
import { directiveOf } from './stub-model/directive.ts';
import type { StubModel } from './stub-model/stub-model.ts';

/**
 * Has an agent's model call one of muster's tools, and gives what its CLI handed the model back. A CLI that has just
 * been started may offer its model the tools a turn later, when it has heard of them.
 */
export async function callTool(model: StubModel, agent: LabAgent, tool: string, input: object): Promise<string> {
  const words = `#call ${tool} ${JSON.stringify(input)}#`;
  const from = model.requests.length;
  const given = (): string | undefined => {
    const answered = model.requests.slice(from).findLast((request) => {
      const { from: text, results } = directiveOf(request);
      return results > 0 && text.includes(words);
    });
    return answered?.heard.findLast(({ kind }) => kind === 'result')?.text;
  };
  for (let times = 0; times < 5 && given() === undefined; times += 1) {
    await agent.say(words);
    await agent.until('THINKING');
    await agent.until('IDLE');
  }
  const answer = given();
  if (answer === undefined) throw new Error(`${tool} gave nothing; the pane shows:\n${agent.screen()}`);
  return answer;
}
