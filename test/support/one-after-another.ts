/**
 * The cases of a describe are moments of one life: each continues from the one before, so once one has failed the rest
 * are skipped.
 */
export function oneAfterAnother(): void {
  let isBroken = false;
  // Mocha's own `bail` would skip other describes too.
  beforeEach(function () {
    if (isBroken) this.skip();
  });
  afterEach(function () {
    isBroken ||= this.currentTest?.state === 'failed';
  });
}
