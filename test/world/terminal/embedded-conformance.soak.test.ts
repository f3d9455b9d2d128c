import { EmbeddedFixture, skipWithoutPty } from '../embedded-fixture.ts';
import { terminalConformance } from './conformance.ts';

describe('embedded terminals', function () {
  this.timeout(60_000);
  before(skipWithoutPty);
  terminalConformance(() => new EmbeddedFixture());
});
