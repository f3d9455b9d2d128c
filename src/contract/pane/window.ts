/** The name of a family: the id of its first agent, which is also the name of its tmux server's socket. */
export const familyPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
/** The id that tmux gives a window. */
export const windowIdPattern = /^@\d{1,9}$/;
