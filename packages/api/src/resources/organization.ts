import type { Organization } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { requireScope } from '../auth/require-scope.ts';
import { logoPath } from '../db/find-logo.ts';

/** `GET /organization`: the organization of the credential (spec: Read endpoints). */
export const organization = ({ db, baseUrl }: RequestDeps) =>
  new Hono<Env>()
    .use(requireScope('reference:read'), etag())
    .get('/', queryParams(NoQuery), async (c) => {
      const row = await db
        .selectFrom('organization')
        .leftJoin('organization_logo', 'organization_logo.organization_id', 'organization.id')
        .selectAll('organization')
        .select('organization_logo.hash as logo_hash')
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
        logo_url: row.logo_hash && baseUrl + logoPath(row.id, { hash: row.logo_hash }),
        created_at: row.created_at.toISOString(),
      } satisfies Organization);
    });
