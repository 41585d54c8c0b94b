import { z } from 'zod';

/** The query of a route without parameters: rejects unknown parameters, which are mistakes of the caller. */
export const NoQuery = z.strictObject({});
