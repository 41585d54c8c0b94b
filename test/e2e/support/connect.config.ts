import demo from '@connect-embed/demo/connect.config.ts';

/**
 * The demo's forms, with a higher limit for component sessions: two e2e tests at a time open many
 * pages from one machine. The limit has its own tests; the credential's rate limit is unchanged.
 */
export default { ...demo, limits: { components: { points: 1000, seconds: 10 } } };
