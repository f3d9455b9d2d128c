import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { containerProfile } from '#world/isolation/call-filters.ts';
import { containerCalls } from '#world/isolation/container-calls.ts';

describe('the profile of system calls of a container', () => {
  const folder = temporaryFolder('calls');
  const file = join(folder.path, 'seccomp.json');
  after(() => folder.remove());

  it('is that of the engine without what a sandbox refuses', () => {
    const allow = { action: 'SCMP_ACT_ALLOW', args: [] };
    const refuse = { action: 'SCMP_ACT_ERRNO', args: [], errnoRet: 1 };
    const audit = [
      { index: 0, value: 16, op: 'SCMP_CMP_EQ' },
      { index: 2, value: 9, op: 'SCMP_CMP_EQ' },
    ];
    const syscalls = [
      { ...allow, names: ['read', 'keyctl', 'socketcall'] },
      { ...allow, names: ['syslog'], includes: { caps: ['CAP_SYSLOG'] } },
      { ...allow, names: ['socket'], args: [{ index: 2, value: 9, op: 'SCMP_CMP_NE' }] },
      { ...refuse, names: ['bpf'] },
      { ...refuse, names: ['socket'], args: audit, errnoRet: 22 },
      { action: 'SCMP_ACT_LOG', names: ['add_key', 'write'] },
    ];
    writeFileSync(file, JSON.stringify({ defaultAction: 'SCMP_ACT_ERRNO', syscalls }));
    const families = [1, 2, 10, 16].map((value) => ({
      names: ['socket'],
      action: 'SCMP_ACT_ALLOW',
      args: [
        { index: 0, value, op: 'SCMP_CMP_EQ' },
        ...(value === 16 ? [{ index: 2, value: 9, op: 'SCMP_CMP_NE' }] : []),
      ],
    }));
    expect(JSON.parse(containerCalls(file) ?? '')).to.deep.equal({
      defaultAction: 'SCMP_ACT_ERRNO',
      syscalls: [
        { ...allow, names: ['read'] },
        { ...refuse, names: ['bpf'] },
        { action: 'SCMP_ACT_LOG', names: ['write'] },
        ...families,
        // Refused by libseccomp before what permits the family.
        { ...refuse, names: ['socket'], args: audit, errnoRet: 22 },
      ],
    });
  });

  it('is none if the engine’s own cannot be read, or permits what it does not name', () => {
    for (const profile of ['nothing', '{"defaultAction":"SCMP_ACT_ALLOW","syscalls":[]}', '{"syscalls":[]}']) {
      writeFileSync(file, profile);
      expect(containerCalls(file), profile).to.equal(undefined);
    }
    expect(containerCalls(join(folder.path, 'gone'))).to.equal(undefined);
  });

  it('fails the launch if podman names none that can be used, and is left to Docker', async () => {
    for (const answer of ['echo', 'echo unconfined', 'exit 1', `echo ${join(folder.path, 'gone')}`]) {
      const program = join(folder.path, 'podman');
      writeFileSync(program, `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
      const { reason, message } = await failureOf(() => containerProfile({ kind: 'podman', program }, {}, folder.path));
      expect(reason, answer).to.equal('ISOLATION_UNAVAILABLE');
      expect(message).to.include('Set seccomp_profile in containers.conf');
    }
    expect(await containerProfile({ kind: 'docker', program: '/nowhere' }, {}, folder.path)).to.equal(undefined);
  });
});
