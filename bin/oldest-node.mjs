/** The first version of Node that has all that muster uses. */
export const oldestNode = '24.0.0';
