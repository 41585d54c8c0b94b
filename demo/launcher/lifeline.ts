/**
 * Loaded into every room before its own code: when the launcher dies without a word, even by
 * `kill -9`, its end of the channel closes and the room stops as it would at Ctrl-C.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone must not keep a room alive that is done.
process.channel?.unref();
