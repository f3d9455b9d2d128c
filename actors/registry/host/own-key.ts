import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/**
 * Ensures that what a session says is its host's, as the host's row stands. Whatever is written in a session's name
 * asks this in the same write: a session that began before a person had the key forgotten neither takes the host's
 * place nor binds that key again.
 * @throws PERMISSION_DENIED when the row is bound to another key; UNAVAILABLE when the session has ended
 */
export function checkOwnKey(host: StoredHost | undefined, sender: Sender): void {
  if (host?.key != null && host.key !== sender.key) throw strangeKey(host);
  if (sender.isUnderWay) return;
  throw new Failure(
    'HOST_SESSION_ENDED',
    `The session of host ${sender.hostId} has ended, for example because a person reset its key: begin another one`,
  );
}

/** Says that a host came with another key than its own, and what fixes it. */
export function strangeKey({ id, name }: Pick<StoredHost, 'id' | 'name'>): Failure {
  return new Failure(
    'HOST_KEY_CHANGED',
    `Host ${quoted(name)} (${id}) has another key than the one in host.key of this state folder. If its key was lost, run ` +
      `\`muster hosts --forget-key ${id}\`; if this folder was copied from another machine, remove its host.id and host.key.`,
  );
}
