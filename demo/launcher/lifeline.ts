/**
 * Preloaded into every service of `npm start`: stops the service if the launcher dies, even by
 * `kill -9`. The IPC channel then closes, and the service gets the same signal as on Ctrl-C.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone must not keep the service alive.
process.channel?.unref();
