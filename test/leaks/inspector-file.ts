/** The file of a state folder in which a process of a kind, such as `host`, says where its inspector listens. */
export const inspectorFile = (kind: string): string => `${kind}.inspector`;
