// Exchanges programs, or puts the previous one back: `exchange.ts switch|back PROGRAM PREFIX`. A test kills it at each step.
import { programFolders, switchBack, switchPrograms } from '#service/upgrade/program-folders.ts';

const [what, current = '', prefix = ''] = process.argv.slice(2);
const folders = programFolders(current, prefix);
if (what === 'switch') switchPrograms(folders);
else switchBack(folders);
