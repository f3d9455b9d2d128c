// Runs the script of its first argument in its own group, by a waiting shell if the second one is `shell`, and lives
// until it is ended.
import { runGroup } from '#world/process/group/process-group.ts';

const [, , script = '', leader] = process.argv;
const { exitCode } = await runGroup({
  file: 'sh',
  args: ['-c', script],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  leavesNothing: leader === 'shell',
  timeoutMs: 60_000,
  onStdout: (chunk) => void process.stdout.write(chunk),
  onStderr: (chunk) => void process.stderr.write(chunk),
});
process.stdout.write(`ended ${exitCode}\n`);
setInterval(() => {}, 60_000);
