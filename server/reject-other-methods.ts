import { ConnectError } from '@connect-embed/contract';
import type { Context } from 'hono';

/** Responds to a known path with a method that no route handles: 405 and `Allow`. */
export const rejectOtherMethods = (methods: string) => (c: Context) => {
  c.header('Allow', methods);
  if (c.req.method === 'OPTIONS') return c.body(null, 204);
  throw new ConnectError(
    'method_not_allowed',
    `${c.req.method} is not supported here. Use ${methods}.`,
  );
};
