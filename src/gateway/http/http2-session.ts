import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** How long an HTTP/2 connection may be idle, in milliseconds. */
export interface SessionTimes {
  /** Without a request, before its first valid token. */
  readonly unauthenticatedIdleMs: number;
  /** Without a request, once it has. */
  readonly idleMs: number;
  /** How long its requests may continue after the peer has ended its side. */
  readonly afterEndMs: number;
}

export const defaultSessionTimes: SessionTimes = { unauthenticatedIdleMs: 10_000, idleMs: 300_000, afterEndMs: 5_000 };

/** How many pings, settings and cancelled requests are allowed, and within which time. */
const maxIdleFrames = 500;
const idleFramesWithinMs = 10_000;

/**
 * Supervises an HTTP/2 connection. It is closed if it sends no request for too long, if the peer has ended its side,
 * and if it sends too many frames without requests.
 */
export function tendSession(
  session: ServerHttp2Session,
  socket: Socket,
  hasShownToken: () => boolean,
  times: SessionTimes,
): void {
  let open = 0;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    session.close();
    setTimeout(() => session.destroy(), 1_000).unref();
  };
  const rest = (): void => {
    clearTimeout(idle);
    if (open === 0) idle = setTimeout(end, hasShownToken() ? times.idleMs : times.unauthenticatedIdleMs);
  };
  const frames = new FrameCount(() => session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM));
  session.on('ping', () => frames.add());
  session.on('remoteSettings', () => frames.add());
  session.on('stream', (stream: ServerHttp2Stream) => {
    open += 1;
    clearTimeout(idle);
    stream.once('aborted', () => frames.add());
    stream.once('close', () => {
      open -= 1;
      rest();
    });
  });
  // The peer sends nothing more, so it probably does not read for long either.
  socket.once('end', () => {
    if (open === 0) return session.destroy();
    session.close();
    setTimeout(() => session.destroy(), times.afterEndMs).unref();
  });
  session.once('close', () => {
    clearTimeout(idle);
    socket.destroy();
  });
  // Errors are caused by the peer, and close the session.
  session.on('error', () => undefined);
  rest();
}

/** Counts frames within a window that starts with the first. */
class FrameCount {
  readonly #tooMany: () => void;
  #count = 0;
  #since = 0;

  constructor(tooMany: () => void) {
    this.#tooMany = tooMany;
  }

  add(): void {
    const now = performance.now();
    if (now - this.#since > idleFramesWithinMs) [this.#since, this.#count] = [now, 0];
    this.#count += 1;
    if (this.#count > maxIdleFrames) this.#tooMany();
  }
}
