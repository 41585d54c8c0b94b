import { z } from 'zod';

/** Query schema of a route without parameters. It rejects every parameter. */
export const NoQuery = z.strictObject({});
