/**
 * Why what is asked of a host comes to nothing: it has not been heard for so long that it counts as lost, or it was asked and does
 * not answer.
 */
export const hostReasons = { lost: 'HOST_LOST', silent: 'HOST_SILENT' } as const;
