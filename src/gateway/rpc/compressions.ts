import type { Compression } from '@connectrpc/connect/protocol';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';

/** The compressions of messages, as in Connect. */
export const compressions: readonly Compression[] = [compressionGzip, compressionBrotli];

/** The size in bytes from which a message is compressed if the caller accepts that, as in Connect. */
export const compressFrom = 1_024;
