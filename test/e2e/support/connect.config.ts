import demo from '@connect-embed/demo/connect.config.ts';

/**
 * The demo's forms, for tests that all run on one machine and therefore share an IP address. The limit
 * for component sessions is higher, because several tests at a time open many pages. Many donations
 * from one address require a proof of work. Pages compute it, but with fewer PBKDF2 iterations, so
 * that tests do not wait for it. The limits have their own tests; the credential's rate limit is
 * unchanged.
 */
export default {
  ...demo,
  limits: { components: { points: 1000, seconds: 10 } },
  guard: { iterations: 100 },
};
