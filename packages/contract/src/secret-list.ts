import { z } from 'zod';

/** Splits a comma-separated list, as environment variables have it. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * Reads the secret of an environment variable, or two during a rotation, separated by a comma, the newest
 * first. More are an error: then a single secret probably contains commas, and would change its meaning.
 *
 * @param error what each secret must be, such as `must have at least 32 characters.`
 */
export const secretList = (isValid: (secret: string) => boolean, error: string) =>
  z
    .string({ error: 'is required.' })
    .transform(splitList)
    .refine((secrets) => [1, 2].includes(secrets.length) && secrets.every(isValid), {
      error: ({ input }) =>
        (input as string[]).length > 1
          ? `takes one secret, or two separated by a comma; each ${error}`
          : error,
    })
    .transform((secrets) => secrets as [string, ...string[]]);
