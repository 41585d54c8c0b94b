import { DEFAULT_FORM_PAGE, ListQuery, type Form } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { sql } from 'kysely';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { findById } from '../../lib/id.ts';
import { readPage } from '../lists/page.ts';
import { picturePath } from './form-picture.ts';

/**
 * `GET /forms` and `GET /forms/{id}`: the forms that members edit in the dashboard
 * (docs/decisions/0097-forms.md). They are not in the specification.
 *
 * Responses have an `ETag`, so that a server can ask often whether a form has changed.
 */
export const forms = (deps: RequestDeps) =>
  new Hono<Env>()
    .use(requireScope('reference:read'), etag())
    .get('/', queryParams(ListQuery), async (c) => {
      const organizationId = c.var.credential.organization.id;
      const page = { table: 'form', organizationId, query: c.req.valid('query') } as const;
      const select = selectForms(deps.db, organizationId);
      return c.json(
        await readPage(deps.cursorEncrypter, page, select, (form) => toResource(form, deps)),
      );
    })
    .get('/:id', queryParams(NoQuery), async (c) => {
      const id = c.req.param('id');
      const select = selectForms(deps.db, c.var.credential.organization.id);
      return c.json(toResource(await findById('form', id, select.where('form.id', '=', id)), deps));
    });

/** Selects forms with their live version and the mode of the organization's own keys. */
const selectForms = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('form')
    .leftJoin('form_version', (join) =>
      join
        .onRef('form_version.form_id', '=', 'form.id')
        .onRef('form_version.version', '=', 'form.live_version'),
    )
    .leftJoin('stripe_key', 'stripe_key.organization_id', 'form.organization_id')
    .select([
      'form.id',
      'form.organization_id',
      'form.slug',
      'form.name',
      FORM_STATUS.as('status'),
      'form.live_version',
      'form.created_at',
      'form_version.published_at',
      'form_version.settings',
      'stripe_key.livemode',
    ]);

type FormRow = Awaited<ReturnType<ReturnType<typeof selectForms>['executeTakeFirstOrThrow']>>;

function toResource(
  form: FormRow,
  { processor, baseUrl }: Pick<RequestDeps, 'processor' | 'baseUrl'>,
): Form {
  // Settings lack the fields that were added after their version.
  const { picture, ...page } = { ...DEFAULT_FORM_PAGE, ...form.settings?.page };
  return {
    id: form.id,
    object: 'form',
    slug: form.slug,
    name: form.name,
    status: form.status,
    version: form.live_version,
    published_at: form.published_at?.toISOString() ?? null,
    campaign_id: form.settings?.terms.campaign_id ?? null,
    livemode: form.livemode ?? processor.livemode,
    created_at: form.created_at.toISOString(),
    page: {
      ...page,
      picture: picture && {
        width: picture.width,
        height: picture.height,
        alt: picture.alt,
        url: baseUrl + picturePath(form.organization_id, picture),
      },
    },
  };
}

export const FORM_STATUS = sql<Form['status']>`case
  when form.live_version is null then 'draft'
  when form.closed_at is null then 'live'
  else 'closed' end`;
