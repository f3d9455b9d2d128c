/** Reads rows as they stand in the database, never as they were read before: writes go past the entity manager's memory. */
export const fresh = { disableIdentityMap: true } as const;
