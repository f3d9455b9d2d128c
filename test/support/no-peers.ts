import { PeerHints } from '#actors/registry/peer/peer-hints.ts';

/** The hints of a registry that has its database for itself. */
export const noPeers = new PeerHints({
  bus: { publish: () => {}, subscribe: () => ({ close: () => {} }) },
  holder: { instance: 'alone' },
  isShared: false,
});
