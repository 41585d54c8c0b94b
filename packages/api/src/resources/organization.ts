import type { Organization } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';

/** `GET /organization`: the organization of the credential (spec: Read endpoints). */
export const organization = ({ db }: RequestDeps) =>
  new Hono<Env>().get('/', requireScope('reference:read'), queryParams(NoQuery), async (c) => {
    const row = await db
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', c.var.credential.organization.id)
      .executeTakeFirstOrThrow();
    return c.json({
      id: row.id,
      object: 'organization',
      name: row.name,
      slug: row.slug,
      legal_name: row.legal_name,
      contact_email: row.contact_email,
      website: row.website,
      tax_id: row.tax_id,
      created_at: row.created_at.toISOString(),
    } satisfies Organization);
  });
