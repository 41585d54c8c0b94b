import { z } from 'zod';

/** The query of a route that takes none: a parameter that does nothing is a mistake to point out. */
export const NoQuery = z.strictObject({});
