import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { refusedCalls, socketFamilies } from './system-calls.ts';

/** A rule of an engine's profile: what is done about calls. */
const Rule = z.looseObject({ names: z.array(z.string()), action: z.string() });
const Profile = z.looseObject({ syscalls: z.array(Rule) });
type Rule = z.infer<typeof Rule>;

const allowed = 'SCMP_ACT_ALLOW';
/** Calls that the profile of podman permits, and a sandbox does not: `socketcall` opens sockets of any family. */
const refused: readonly string[] = [...refusedCalls, 'socketcall'];

/**
 * A profile of an engine that permits no more than a sandbox does, made from the profile that it would use itself.
 * Undefined if there is none in a file that can be read.
 */
export function containerCalls(file: string): string | undefined {
  const profile = profileIn(file);
  if (profile === undefined) return undefined;
  const rules = profile.syscalls.flatMap(without(['socket'])).flatMap(permittedOf);
  return JSON.stringify({ ...profile, syscalls: [...rules, ...socketFamilies.map(socketOf)] });
}

function profileIn(file: string): z.infer<typeof Profile> | undefined {
  try {
    return Profile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

const permittedOf = (rule: Rule): Rule[] => (rule.action === allowed ? without(refused)(rule) : [rule]);

const without =
  (calls: readonly string[]) =>
  (rule: Rule): Rule[] => {
    const names = rule.names.filter((name) => !calls.includes(name));
    return names.length === 0 ? [] : [{ ...rule, names }];
  };

/** Permits sockets of a family. */
function socketOf(family: number): Rule {
  return { names: ['socket'], action: allowed, args: [{ index: 0, value: family, op: 'SCMP_CMP_EQ' }] };
}
