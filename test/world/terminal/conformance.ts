import { lifeConformance } from '../conformance/life.ts';
import { openingConformance } from '../conformance/opening.ts';
import { readingConformance } from '../conformance/reading.ts';
import { typingConformance } from '../conformance/typing.ts';
import type { MakeFixture } from '../terminal-fixture.ts';

/** What every kind of terminal must do, whatever holds its panes: to be called within a suite of that kind. */
export function terminalConformance(make: MakeFixture): void {
  openingConformance(make);
  readingConformance(make);
  typingConformance(make);
  lifeConformance(make);
}
