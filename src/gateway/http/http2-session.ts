import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** How long an HTTP/2 connection may do nothing, in milliseconds. */
export interface SessionTimes {
  /** Without a request, before it has shown a token. */
  readonly unauthenticatedIdleMs: number;
  /** Without a request, once it has. */
  readonly idleMs: number;
  /** How long its requests may continue once its peer has ended its side. */
  readonly afterEndMs: number;
}

export const defaultSessionTimes: SessionTimes = { unauthenticatedIdleMs: 10_000, idleMs: 300_000, afterEndMs: 5_000 };

/** How many pings, settings and cancelled requests may come within how long. */
const maxIdleFrames = 500;
const idleFramesWithinMs = 10_000;

/**
 * Looks after one HTTP/2 connection: it is ended if it asks nothing for too long, whatever else it sends; if its peer
 * has ended its side; and where it sends more frames that ask for nothing than anybody needs.
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
  // Its peer sends nothing more, so nobody is there who could read for long.
  socket.once('end', () => {
    if (open === 0) return session.destroy();
    session.close();
    setTimeout(() => session.destroy(), times.afterEndMs).unref();
  });
  session.once('close', () => {
    clearTimeout(idle);
    socket.destroy();
  });
  // Its errors are its peer's, and end it.
  session.on('error', () => undefined);
  rest();
}

/** Counts within a time that begins with the first. */
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
