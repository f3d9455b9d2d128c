import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const programs = ['bin/muster.mjs', 'src/cli/report.ts'] as const;
/** Prints, when a program ends, what it loaded of Node itself. */
const noting = `data:text/javascript,process.on('exit', () => console.error(process.moduleLoadList.join('\\n')))`;

describe('the modules that a command loads', () => {
  for (const program of programs)
    it(`exclude fetch, and TLS without https: ${program}`, () => {
      const path = fileURLToPath(new URL(`../../${program}`, import.meta.url));
      const env = { ...process.env, NODE_OPTIONS: '', SERVICE_BASE_URL: 'http://127.0.0.1:1' };
      const script = `"$0" --import "$1" "$2" --version 2>&1 </dev/null || true`;
      const loaded = execFileSync('sh', ['-c', script, process.execPath, noting, path], { env, encoding: 'utf8' });
      expect(loaded).to.include('NativeModule fs\n');
      expect(loaded).not.to.match(/undici|_tls_wrap|tls\/wrap/);
      // Only the bundle takes Node's modules without what their exports lead to.
      if (program === 'bin/muster.mjs') expect(loaded).not.to.match(/child_process|fs\/promises/);
    });
});
