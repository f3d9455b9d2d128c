import { EmbeddedFixture, skipWithoutPty } from '../embedded-fixture.ts';
import { terminalConformance } from './conformance.ts';

describe('embedded terminals', () => {
  before(skipWithoutPty);
  terminalConformance(() => new EmbeddedFixture());
});
