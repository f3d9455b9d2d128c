import { expect } from 'chai';
import { checkRules } from '#actors/registry/approval/check-rules.ts';
import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import { questionTools } from '#contract/approval/asked-question.ts';

describe('approval rules before they are stored', () => {
  const refuse: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', command: { glob: 'rm *' } };

  it('are refused if they name a tool that no question uses, as they would never count', () => {
    for (const tool of questionTools) expect(() => checkRules([{ ...refuse, tools: [tool] }])).not.to.throw();
    expect(() => checkRules([refuse, { ...refuse, tools: ['shell', 'bash'] }])).to.throw(
      'rules: rule 2 has the tool "bash", which no question uses: give shell, write, read, fetch, other',
    );
  });
});
