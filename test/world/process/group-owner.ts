// Runs the script of its argument in its own group, and lives until it is ended.
import { runGroup } from '#world/process/process-group.ts';

const [, , script = ''] = process.argv;
const { exitCode } = await runGroup({
  file: 'sh',
  args: ['-c', script],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  timeoutMs: 60_000,
  onStdout: (chunk) => void process.stdout.write(chunk),
  onStderr: (chunk) => void process.stderr.write(chunk),
});
process.stdout.write(`ended ${exitCode}\n`);
setInterval(() => {}, 60_000);
