/** A family is named by the id of the agent that it began with; its tmux server's socket has the same name. */
export const familyPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
/** A window of a tmux server, as tmux itself names it. */
export const windowIdPattern = /^@\d{1,9}$/;
