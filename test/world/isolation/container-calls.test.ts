import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { containerCalls } from '#world/isolation/container-calls.ts';

describe('the profile of system calls of a container', () => {
  const folder = temporaryFolder('calls');
  const file = join(folder.path, 'seccomp.json');
  after(() => folder.remove());

  it('is that of the engine without what a sandbox refuses', () => {
    const allow = { action: 'SCMP_ACT_ALLOW', args: [] };
    const refuse = { action: 'SCMP_ACT_ERRNO', args: [], errnoRet: 1 };
    const syscalls = [
      { ...allow, names: ['read', 'keyctl', 'socketcall'] },
      { ...allow, names: ['syslog'], includes: { caps: ['CAP_SYSLOG'] } },
      { ...allow, names: ['socket'], args: [{ index: 2, value: 9, op: 'SCMP_CMP_NE' }] },
      { ...refuse, names: ['bpf'] },
    ];
    writeFileSync(file, JSON.stringify({ defaultAction: 'SCMP_ACT_ERRNO', syscalls }));
    const families = [1, 2, 10, 16].map((value) => ({
      names: ['socket'],
      action: 'SCMP_ACT_ALLOW',
      args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
    }));
    expect(JSON.parse(containerCalls(file) ?? '')).to.deep.equal({
      defaultAction: 'SCMP_ACT_ERRNO',
      syscalls: [{ ...allow, names: ['read'] }, { ...refuse, names: ['bpf'] }, ...families],
    });
  });

  it('is the engine’s own if it names none that can be read', () => {
    writeFileSync(file, 'nothing');
    expect([containerCalls(file), containerCalls(join(folder.path, 'gone'))]).to.deep.equal([undefined, undefined]);
  });
});
