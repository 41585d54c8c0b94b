import demo from '@connect-embed/demo/connect.config.ts';

/**
 * The demo's forms, for tests that all run on one machine and therefore share an IP address. The limit
 * for component sessions is higher, because several tests at a time open many pages. Many donations
 * require a proof of work, and its derivations are cheap, so that it takes no longer than that of a
 * single donor. The limits have their own tests; the credential's rate limit is unchanged.
 */
export default {
  ...demo,
  limits: { components: { points: 1000, seconds: 10 } },
  guard: { iterations: 100 },
};
