import { expect } from 'chai';
import { runRegistry } from '#actors/registry/main.ts';
import { Failure } from '#contract/failure.ts';
import type { ProcessContext } from '#contract/process-context.ts';

describe('a registry whose disk does not confirm a write', () => {
  it('gives up, so that it is started again', async () => {
    const [gaveUp, failure] = [[] as Failure[], new Failure('DISK_FAILED', 'the disk failed')];
    const context = { config: { home: '/nonexistent' }, giveUp: (why: Failure) => gaveUp.push(why) };
    const running = runRegistry(context as unknown as ProcessContext, {
      async open({ onUnsure }) {
        onUnsure?.(failure);
        throw new Error('nothing is opened here');
      },
    });
    expect(await running.catch(String)).to.include('nothing is opened here');
    expect(gaveUp).to.deep.equal([failure]);
  });
});
