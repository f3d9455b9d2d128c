// Loaded before a process of muster: opens its inspector on a free port and says where, in a file of its state folder.
import { writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { inspectorFile } from './inspector-file.ts';

if (isMainThread) {
  inspector.open(0, '127.0.0.1');
  writeFileSync(join(process.env['MUSTER_HOME'] ?? '', inspectorFile(process.argv[2] ?? '')), inspector.url() ?? '');
}
