// Builds the page into dist/page, unless it is up to date. `npm start` and `npm test` run this. It prints nothing if
// there is nothing to do. Two runs at the same time build in separate folders, and each moves a complete page into place.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pageState, root } from './page-state.mjs';

const entities = 'decode-named-character-reference';
const { place, stampName, wanted } = pageState();
if (!pageState().isBuilt) await build();

async function build() {
  process.stderr.write('muster: building the page …\n');
  const { build: bundle } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  mkdirSync(join(root, 'dist'), { recursive: true });
  const made = mkdtempSync(join(root, 'dist', 'page-'));
  try {
    await bundle({
      configFile: false,
      root: join(root, 'src', 'page'),
      plugins: [react()],
      logLevel: 'error',
      html: { cspNonce: 'MUSTER_NONCE' },
      worker: { format: 'es' },
      // Its browser version needs `document`, which the worker that colours code does not have.
      resolve: { alias: { [entities]: fileURLToPath(import.meta.resolve(entities)) } },
      build: {
        outDir: made,
        emptyOutDir: true,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        // The code of every start in one file: a browser that restores a dozen tabs asks for two each, not for forty.
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } } },
      },
    });
    compressIn(join(made, 'assets'));
    writeFileSync(join(made, stampName), wanted);
    chmodSync(made, 0o755);
    putInPlace(made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function compressIn(folder) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  for (const name of readdirSync(folder)) {
    if (!['.js', '.css', '.svg', '.wasm'].includes(extname(name))) continue;
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Moves the built page into place. If another run was faster, its page stays. */
function putInPlace(made) {
  const old = `${made}.old`;
  try {
    if (existsSync(place)) renameSync(place, old);
    renameSync(made, place);
  } catch (error) {
    if (!pageState().isBuilt) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}
