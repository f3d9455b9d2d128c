import { testReview } from './review/review-screen.ts';
import { testActs } from './roster/acts.ts';
import { testRoster } from './roster/roster-screen.ts';
import { type Stage, setStage } from './stage.ts';

// One service and one browser: to start both takes a third of the processor time of what is tried on them.
describe('the page of a service', () => {
  let stage: Stage;
  before(async () => {
    stage = await setStage();
  });
  after(() => stage.stop());

  testRoster(() => stage);
  testActs(() => stage);
  testReview(() => stage);
});
