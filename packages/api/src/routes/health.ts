import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { sql } from 'kysely';
import type { WorkDeps, Env } from '../env.ts';

/** `GET /healthz`: the process runs. `GET /readyz`: it can also answer, for it has its database. */
export const health = ({ db }: WorkDeps) =>
  new Hono<Env>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      try {
        await sql`select 1`.execute(db);
      } catch (cause) {
        throw new ConnectError('unavailable', 'The database cannot be reached.', { cause });
      }
      return c.json({ status: 'ready' });
    });
