import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { refusedCalls, socketFamilies } from './system-calls.ts';

/** A rule of an engine's profile: what is done about calls. */
const Rule = z.looseObject({ names: z.array(z.string()), action: z.string() });
const Profile = z.looseObject({ defaultAction: z.string(), syscalls: z.array(Rule) });
type Rule = z.infer<typeof Rule>;

const allowed = 'SCMP_ACT_ALLOW';
/** What a profile may do about a call that is not made. All else makes it. */
const refusals = ['ERRNO', 'KILL', 'KILL_THREAD', 'KILL_PROCESS', 'TRAP'].map((name) => `SCMP_ACT_${name}`);
/** Calls that the profile of podman permits, and a sandbox not or only in part: `socketcall` opens sockets of any family. */
const refused: readonly string[] = [...refusedCalls, 'socketcall', 'socket'];

/**
 * A profile of an engine that permits no more than a sandbox does, made from the profile that it would use itself.
 * Undefined if there is none in a file that can be read, or one that permits what it does not name.
 */
export function containerCalls(file: string): string | undefined {
  const profile = profileIn(file);
  if (profile === undefined || !refusals.includes(profile.defaultAction)) return undefined;
  const rules = Object.groupBy(profile.syscalls.flatMap(permittedOf), ({ names }) =>
    names.includes('socket') ? 'sockets' : 'others',
  );
  const { others = [], sockets = [] } = rules;
  // The library that compiles it refuses a rule of two arguments of a call before one that permits it by one of them.
  return JSON.stringify({ ...profile, syscalls: [...others, ...socketFamilies.map(socketOf), ...sockets] });
}

function profileIn(file: string): z.infer<typeof Profile> | undefined {
  try {
    return Profile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** A rule without the calls that a sandbox refuses, if it permits them. */
function permittedOf(rule: Rule): Rule[] {
  if (refusals.includes(rule.action)) return [rule];
  const names = rule.names.filter((name) => !refused.includes(name));
  return names.length === 0 ? [] : [{ ...rule, names }];
}

/** The family of netlink, and its protocol of the kernel's audit, which podman's profile refuses by a rule of its own. */
const [netlink, audit] = [16, 9];

/** Permits sockets of a family. No two rules may be about the same call. */
function socketOf(family: number): Rule {
  const isFamily = { index: 0, value: family, op: 'SCMP_CMP_EQ' };
  const isNoAudit = { index: 2, value: audit, op: 'SCMP_CMP_NE' };
  return { names: ['socket'], action: allowed, args: family === netlink ? [isFamily, isNoAudit] : [isFamily] };
}
