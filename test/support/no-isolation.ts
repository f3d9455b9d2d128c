/** The isolation of hosts whose agents are not isolated. */
export const noIsolation = {
  around: async () => (argv: readonly string[]) => argv,
  exceeded: () => undefined,
  remove: async () => {},
};
