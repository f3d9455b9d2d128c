// Loaded first into every Node process that a test starts (`--require`): notes each error that nobody handled in the file that
// MUSTER_TEST_FAULTS names, and changes nothing of what the process does about it. Plain JavaScript, and as little as possible,
// since each process loads it.
const { appendFileSync } = require('node:fs');

const file = process.env.MUSTER_TEST_FAULTS;
const events = new Set(['unhandledRejection', 'uncaughtException']);

if (file !== undefined) {
  const emit = process.emit;
  const noted = new Set();
  process.emit = function (event, ...given) {
    // Node asks for both where nobody listens to the first.
    if (events.has(event) && !noted.has(given[0])) {
      noted.add(given[0]);
      const what = `${event} in ${process.argv.slice(1).join(' ')} (${process.pid}): ${given[0]?.stack ?? given[0]}`;
      try {
        appendFileSync(file, `${JSON.stringify(what)}\n`);
      } catch {
        // The run is over, and its folder gone.
      }
    }
    return emit.call(this, event, ...given);
  };
}
