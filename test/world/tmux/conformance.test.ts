import { terminalConformance } from '../terminal/conformance.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('terminals on tmux', function () {
  this.timeout(60_000);
  terminalConformance(() => new TmuxFixture());
});
