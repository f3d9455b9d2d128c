import { terminalConformance } from '../terminal/conformance.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('terminals on tmux', () => {
  terminalConformance(() => new TmuxFixture());
});
