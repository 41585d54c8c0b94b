/**
 * A secret, or several of which the newest is first. The first is used; the others are still accepted,
 * so that a secret can be rotated while everything runs: docs/decisions/0105-readiness-and-secrets.md
 */
export type Secrets = string | readonly [string, ...string[]];

/** Returns all secrets, the newest first. */
export const listSecrets = (secrets: Secrets): readonly [string, ...string[]] =>
  typeof secrets === 'string' ? [secrets] : secrets;

/** Returns the secret that is used. */
export const newestSecret = (secrets: Secrets): string => listSecrets(secrets)[0];
