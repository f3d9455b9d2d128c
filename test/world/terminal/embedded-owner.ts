// A process that holds two panes: one whose program ends with its terminal, and one whose program does not care.
import { loadPty } from '#world/pty/module.ts';
import { openEmbeddedTerminals } from '#world/pty/terminals.ts';

const [, , runDir = '', cwd = ''] = process.argv;
const pty = loadPty();
if (pty === undefined) throw new Error('node-pty is not built');
const environment = { PATH: process.env['PATH'] ?? '' };
const terminals = await openEmbeddedTerminals({ pty, runDir, environment, noAttaching: '' });
const terminal = await terminals.of('agt_root');
const open = (agentId: string, line: string) =>
  terminal.open({ agentId, name: agentId, cwd, argv: ['/bin/sh', '-c', line], env: {} });
const panes = [
  await open('agt_plain', 'while :; do sleep 1; done'),
  await open('agt_stubborn', 'trap "" HUP TERM; echo up; while :; do sleep 1; done'),
  await open('agt_last', 'exec cat'),
];
process.stdout.write(`${panes.map(({ pid }) => pid).join(' ')}\n`);
