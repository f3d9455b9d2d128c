// `muster start` with fake members.
import { fileURLToPath } from 'node:url';
import { Failure } from '#contract/failure.ts';
import { readConfig } from '#service/config.ts';
import { runStart } from '#service/start-command.ts';

const member = fileURLToPath(new URL('./fake-member.ts', import.meta.url));

try {
  process.exitCode = await runStart(readConfig(process.env), (name) => [process.execPath, member, name]);
} catch (error) {
  process.stderr.write(error instanceof Failure ? `${error.code}: ${error.message}\n` : String(error));
  process.exitCode = 70;
}
