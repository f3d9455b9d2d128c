import { expect } from 'chai';
import { refuseCommand } from '#actors/registry/rights/command-prompt.ts';
import { Failure } from '#contract/failure.ts';
import { builtIn } from '#machines/harness/table.ts';

/** An agent that would have another one's CLI run a command in place of an order. */
describe('a prompt that a CLI interprets as a command', () => {
  const agent = { kind: 'agent', agentId: 'agt_1', role: 'orchestrator' } as const;
  const give = (harness: string | undefined, prompt: string) => () => refuseCommand(agent, builtIn, harness, prompt);
  const any = ['!', '/', '$', '&'];

  for (const { name, commandPrefixes = any } of builtIn.all()) {
    it(`is refused for ${name} by that CLI’s prefixes only`, () => {
      for (const prefix of any) {
        const isCommand = commandPrefixes.includes(prefix);
        for (const start of ['', ' \n', '\u200b']) {
          const attempt = give(name, `${start}${prefix}id`);
          if (isCommand) expect(attempt, prefix).to.throw(Failure, 'interprets as a command');
          else expect(attempt, prefix).not.to.throw();
        }
      }
      expect(give(name, 'Run !ls, / or $ and &')).not.to.throw();
    });
  }

  it('is refused for an unknown CLI by every known prefix', () => {
    expect(builtIn.all().some(({ commandPrefixes }) => commandPrefixes === undefined)).to.equal(true);
    for (const harness of [undefined, 'of-a-file']) {
      for (const prefix of any) expect(give(harness, `${prefix}id`)).to.throw(Failure, 'only a person');
    }
  });

  it('is allowed for a person', () => {
    for (const prefix of any) refuseCommand({ kind: 'person' }, builtIn, undefined, `${prefix}id`);
  });
});
