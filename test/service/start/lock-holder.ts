// Takes the lock named by its arguments, says so, and holds it until it is ended.
import { takeOwnerLock } from '#service/owner-lock.ts';

const [folder = '', name = ''] = process.argv.slice(2);
takeOwnerLock({ home: folder, run: folder }, name);
process.send?.('held');
process.on('message', () => {});
