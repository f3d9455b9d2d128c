import { dirname, join } from 'node:path';
import type { Host } from '#contract/host/host.ts';
import { joinBy } from '#test/service/join/machine.ts';
import { gitIn } from '#test/support/git-in.ts';
import { endTerminals } from '#test/support/pieces.ts';
import type { LabCli } from './cli/definition.ts';
import type { Lab } from './lab.ts';
import { isolation } from './muster.ts';
import { setUpPerson } from './person.ts';

/** A second host of a lab, as on another machine: with a person's home, a state folder and a clone of its own. */
export interface FarHost {
  readonly id: string;
  /** The id of the lab's first host. */
  readonly near: string;
  /** Its state folder. */
  readonly state: string;
  /** Its clone of the lab's repository. */
  readonly clone: string;
  stop(): Promise<void>;
}

/** Has a second host join a lab by the line that muster prints for it. `program` is the CLI's. */
export async function joinFarHost(lab: Lab, cli: LabCli, program: string): Promise<FarHost> {
  const folder = join(dirname(lab.home), 'far');
  const [state, clone] = [join(folder, 'state'), join(folder, 'clone')];
  const settings = { ...setUpPerson(cli, join(folder, 'person'), program, lab.model.url), MUSTER_ISOLATION: isolation };
  gitIn(lab.repository, 'clone', '--quiet', lab.repository, clone);
  const { command } = await lab.call<{ command: string }>('host.v1.HostService/InviteHost', { name: 'far' });
  const joined = await joinBy(command, { home: state, settings });
  const { hosts } = await lab.call<{ hosts: Host[] }>('host.v1.HostService/ListHosts', {});
  return {
    id: hosts.find(({ name }) => name === 'far')?.id ?? '',
    near: hosts.find(({ name }) => name !== 'far')?.id ?? '',
    state,
    clone,
    async stop() {
      await joined.stop();
      await endTerminals(join(state, 'run'));
    },
  };
}
