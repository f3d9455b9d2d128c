/**
 * Whether this process runs files of the suite, so that what one test leaves may serve the next one. It ends by itself;
 * another one would wait for what is kept.
 */
export const isWorker = process.env['MUSTER_TEST_WORKER'] === String(process.pid);
