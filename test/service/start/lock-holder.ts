// Takes the lock named by its arguments, reports it, and holds it until it is ended. A message makes it collect its garbage.
import { takeOwnerLock } from '#service/owner-lock.ts';

const [folder = '', name = ''] = process.argv.slice(2);
takeOwnerLock({ home: folder, run: folder }, name);
process.send?.('held');
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
