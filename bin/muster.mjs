// The program. What was compiled is kept from run to run, so that every command starts in half the time: only what is
// loaded after this file is, so it is plain JavaScript and loads next to nothing itself. Where the cache cannot be
// kept, nothing is lost. It runs the bundle of the sources if there is one of them as they are, and else the sources
// themselves.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { builtProgram, bundles } from './program-state.mjs';
import { nameSourcePlaces } from './source-places.mjs';

const { XDG_CACHE_HOME: cacheHome = '' } = process.env;
enableCompileCache(join(isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache'), 'muster'));
const built = builtProgram();
if (built !== undefined) nameSourcePlaces(bundles);
await import(built ?? '../src/main.ts');
