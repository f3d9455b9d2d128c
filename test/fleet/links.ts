import { Relay } from '#test/support/relay.ts';

/** The network of a fleet: a relay from each process to each server that it uses, each of which can be cut. */
export class Links {
  readonly #relays = new Map<string, Relay>();

  /** Lays a link; gives the port at which `from` reaches `to`, which listens at `port`. */
  async lay(from: string, to: string, port: () => number): Promise<number> {
    const relay = await Relay.open(port);
    this.#relays.set(`${from} ${to}`, relay);
    return relay.port;
  }

  /** Cuts links: nothing passes, without an error. */
  cut(isCut: (from: string, to: string) => boolean): void {
    for (const relay of this.#chosen(isCut)) relay.cut();
  }

  /** Restores cut links: data in transit is lost. */
  mend(isCut: (from: string, to: string) => boolean): void {
    for (const relay of this.#chosen(isCut)) relay.mend();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.close()));
  }

  #chosen(isChosen: (from: string, to: string) => boolean): Relay[] {
    return [...this.#relays].flatMap(([name, relay]) => {
      const [from = '', to = ''] = name.split(' ');
      return isChosen(from, to) ? relay : [];
    });
  }
}
