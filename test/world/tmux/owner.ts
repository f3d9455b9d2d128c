// A process that opens agents' windows without end, for tests that kill it at any moment.
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

const [, , runDir = '', cwd = ''] = process.argv;
const environment = { PATH: process.env['PATH'] ?? '', HOME: '/', LANG: 'C.UTF-8' };
const terminal = await createTmuxTerminals({ runDir, environment }).of('agt_root');
const program = 'i=0; while :; do i=$((i+1)); echo "$i" > "$0.part"; mv "$0.part" "$0"; seq 1 2000; done';
await terminal.open({ agentId: 'agt_flood', name: 'flood', cwd, argv: ['/bin/sh', '-c', program, 'flood'], env: {} });
process.stdout.write('up\n');
for (let n = 0; n < 300; n += 1) {
  await terminal.open({ agentId: `agt_${n}`, name: `n${n}`, cwd, argv: ['cat'], env: { N: `${n}` } });
  await terminal.paste(`%${n + 1}`, 'hello '.repeat(2000), `stamp_${n}`);
}
