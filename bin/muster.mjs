// The program. What was compiled is kept from run to run, so that every command starts in half the time: only what is
// loaded after this file is, so it is plain JavaScript and loads nothing else itself. Where the cache cannot be kept,
// nothing is lost.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const { XDG_CACHE_HOME: cacheHome = '' } = process.env;
enableCompileCache(join(isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache'), 'muster'));
await import('../src/main.ts');
