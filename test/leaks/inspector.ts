import { once } from 'node:events';

interface RemoteObject {
  readonly objectId?: string;
  readonly value?: unknown;
  readonly description?: string;
}

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly result?: RemoteObject;
    readonly objects?: RemoteObject;
    readonly exceptionDetails?: { readonly exception?: RemoteObject };
  };
}

/** Asks a running Node process about itself, by the protocol of its debugger. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      this.#waiting.get(answer.id ?? 0)?.(answer);
    });
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** The value of an expression there, which must be valid JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.#ask('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    return result?.value as T;
  }

  /** The result of a function there that gets every live object after a garbage collection. */
  async overAllObjects<T>(declaration: string, ...values: readonly unknown[]): Promise<T> {
    const { result: prototype } = await this.#ask('Runtime.evaluate', { expression: 'Object.prototype' });
    const { objects } = await this.#ask('Runtime.queryObjects', { prototypeObjectId: prototype?.objectId });
    const given = {
      objectId: objects?.objectId,
      functionDeclaration: declaration,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
    };
    const { result } = await this.#ask('Runtime.callFunctionOn', given);
    for (const objectId of [prototype?.objectId, objects?.objectId]) {
      await this.#ask('Runtime.releaseObject', { objectId });
    }
    return result?.value as T;
  }

  close(): void {
    this.#socket.close();
  }

  async #ask(method: string, params: object): Promise<NonNullable<Answer['result']>> {
    this.#asked += 1;
    const id = this.#asked;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { error, result = {} } = await promise;
    this.#waiting.delete(id);
    const thrown = result.exceptionDetails?.exception?.description;
    if (error !== undefined || thrown !== undefined) throw new Error(`${method}: ${error?.message ?? thrown}`);
    return result;
  }
}
