import { DEFAULT_FORM_PAGE, ListQuery, type Form, type FormPage } from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { sql } from 'kysely';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import type { OrganizationScope } from '../../db/organization-scope.ts';
import { ListReader } from '../lists/list.ts';
import { iso, isoText, objectType } from '../resource-columns.ts';
import { PICTURES_PATH } from './form-picture.ts';

/**
 * `GET /forms` and `GET /forms/{id}`: the forms that members edit in the dashboard
 * (docs/decisions/0097-forms.md). They are not in the specification.
 *
 * Responses have an `ETag`, so that a server can ask often whether a form has changed.
 */
export const forms = (deps: RequestDeps) => {
  const list = new ListReader<object, Form>(deps, {
    table: 'form',
    select: (organization) => selectForms(organization, deps),
    createdAtField: 'created_at',
  });
  return new Hono<Env>()
    .use(requireScope('reference:read'), etag())
    .get('/', queryParams(ListQuery), async (c) => {
      return c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query')));
    })
    .get('/:id', queryParams(NoQuery), async (c) =>
      c.json(await list.find(c.var.credential.organization.id, c.req.param('id'))),
    );
};

const selectForms = (
  organization: OrganizationScope,
  { processor, baseUrl }: Pick<RequestDeps, 'processor' | 'baseUrl'>,
) =>
  organization
    .selectFrom('form')
    .select([
      'form.id',
      objectType('form'),
      'form.slug',
      'form.name',
      FORM_STATUS.as('status'),
      'form.live_version as version',
      PUBLISHED_AT.as('published_at'),
      CAMPAIGN_ID.as('campaign_id'),
      livemodeOr(processor.livemode).as('livemode'),
      iso('form.created_at').as('created_at'),
      pageWithUrls(baseUrl).as('page'),
    ]);

export const FORM_STATUS = sql<Form['status']>`case
  when form.live_version is null then 'draft'
  when form.closed_at is null then 'live'
  else 'closed' end`;

/** SQL of the mode of the organization's keys. */
const livemodeOr = (isPlatformLive: boolean) => sql<boolean>`coalesce((
  select livemode from stripe_key where stripe_key.organization_id = form.organization_id),
  ${isPlatformLive}::boolean)`;

/** SQL of the campaign of the live version. */
export const CAMPAIGN_ID = sql<string | null>`(
  select settings #>> '{terms,campaign_id}' from form_version
  where form_version.form_id = form.id and form_version.version = form.live_version)`;

/**
 * SQL of the time when the live version was published. It is a subquery for each row, because with a
 * join PostgreSQL may no longer read the list in index order.
 */
const PUBLISHED_AT = sql<string | null>`(
  select ${isoText('form_version.published_at')} from form_version
  where form_version.form_id = form.id and form_version.version = form.live_version)`;

/** SQL of the published version's giving page. Settings from before a field lack it. */
const pageWithUrls = (baseUrl: string) => sql<FormPage>`(
  select ${JSON.stringify(DEFAULT_FORM_PAGE)}::jsonb || coalesce(page, '{}') || case
    when page #> '{picture,hash}' is null then '{}'
    else jsonb_build_object('picture', (page -> 'picture') - 'hash' || jsonb_build_object('url',
      ${baseUrl + PICTURES_PATH}::text || '/' || form.organization_id || '/' || (page #>> '{picture,hash}')))
  end
  from (select (
    select form_version.settings -> 'page' from form_version
    where form_version.form_id = form.id and form_version.version = form.live_version
  ) as page) as published)`;
