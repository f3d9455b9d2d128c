/** What the names of leases begin with under which a registry answers a question by rule. */
export const leasePrefix = 'approval:';
/** How long a lease lasts, in milliseconds: longer than an answer may take. */
export const leaseMs = 31_000;
