import { ConnectError, toPublicForm, type FormSession } from '@connect-embed/contract';
import { limitBody } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import type { Env } from '@connect-embed/api/http/env';
import {
  ORGANIZATION_COLUMNS,
  toOrganization,
} from '@connect-embed/api/http/credential-organization';
import { securityHeaders } from '@connect-embed/api/http/security-headers';
import { findDonationTarget } from '@connect-embed/api/payments/donation-target';
import { describeForm } from '@connect-embed/api/resources/embed-sessions';
import { loadOfferedMethodTypes } from '@connect-embed/api/payments/payment-method-types';
import { loadProgress } from '@connect-embed/api/resources/campaigns';
import { findPreview, PREVIEW_PATH } from '@connect-embed/api/resources/forms/form-preview';
import { presentationOf } from '@connect-embed/api/resources/forms/presentation';
import type { Deps } from '../deps.ts';
import { messagePage } from '@connect-embed/api/http/page-shell';
import { hostedHeaders } from './headers.ts';
import { createHostedTranslator, hostedPage } from './page.ts';
import { requireSameOrigin } from './same-origin.ts';

/**
 * Routes of previews in the dashboard: a page with the real donation form, which only the dashboard may
 * frame, and the endpoints of its form. It takes no donations: docs/decisions/0097-forms.md
 */
export const formPreview = (deps: Deps) =>
  new Hono<Env>()
    .get(`${PREVIEW_PATH}/:id`, (c) => renderPreview(deps, c))
    .use(`${PREVIEW_PATH}/:id/embed-form`, securityHeaders)
    .get(`${PREVIEW_PATH}/:id/embed-form`, async (c) =>
      c.json(toPublicForm((await createPreviewSession(deps, c.req.param('id'))).form)),
    )
    .get(`${PREVIEW_PATH}/:id/campaigns/:campaign/progress`, securityHeaders, async (c) => {
      const { organization_id } = await requirePreview(deps, c.req.param('id'));
      return c.json(await loadProgress(deps.db, organization_id, c.req.param('campaign')));
    })
    .use(`${PREVIEW_PATH}/:id/*`, securityHeaders, requireSameOrigin(deps), limitBody)
    .post(`${PREVIEW_PATH}/:id/embed-sessions`, async (c) =>
      c.json(await createPreviewSession(deps, c.req.param('id')), 201),
    )
    .all(`${PREVIEW_PATH}/:id/*`, () => {
      throw new ConnectError('forbidden', 'This is a preview. No donation was made.');
    });

async function renderPreview(deps: Deps, c: Context<Env>) {
  const { baseUrl, processor } = deps;
  const id = c.req.param('id') ?? '';
  const preview = await findPreview(deps.db, id);
  const { origin } = new URL(baseUrl);
  const headers = hostedHeaders(processor.scriptUrl, [origin]);
  if (!preview) {
    const text = 'Change a setting or reload the page to see the preview again.';
    return c.html(messagePage('This preview has expired', text), 410, headers);
  }
  const { name } = await findOrganization(deps, preview);
  return c.html(
    hostedPage({
      base: baseUrl,
      server: `${baseUrl}${PREVIEW_PATH}/${id}`,
      organization: name,
      translator: createHostedTranslator(preview.language),
      appearance: { theme: preview.theme, framedBy: [origin] },
      display: preview.settings.display,
    }),
    200,
    headers,
  );
}

/** @throws {ConnectError} `not_found` if the preview has expired */
async function requirePreview({ db }: Deps, id: string) {
  const preview = await findPreview(db, id);
  if (preview) return preview;
  throw new ConnectError('not_found', 'This preview has expired.', { code: 'page_expired' });
}

/** @throws {ConnectError} `not_found` if the preview has expired */
async function createPreviewSession(deps: Deps, id: string): Promise<FormSession> {
  const preview = await requirePreview(deps, id);
  const { settings, expires_at, organization_id } = preview;
  const { terms } = settings;
  const organization = await findOrganization(deps, preview);
  const target = await findDonationTarget(deps.db, organization_id, terms).catch(
    (error: unknown) => {
      if (!(error instanceof ConnectError) || error.type !== 'invalid_request') throw error;
      // The fund or campaign of an earlier version has been archived.
      return { fund_name: null, campaign_name: null };
    },
  );
  return {
    id: 'es_preview',
    object: 'embed_session',
    session_token: 'preview',
    organization_id,
    embed_url: deps.baseUrl,
    expires_at: expires_at.toISOString(),
    form: await describeForm(
      deps,
      // A form can be prepared before the organization has an account at Stripe.
      { ...organization, processorAccountId: organization.processorAccountId ?? 'acct_none' },
      {
        terms,
        offeredMethodTypes: await loadOfferedMethodTypes(
          deps,
          organization,
          terms.payment_method_types,
        ),
        target,
        presentation: presentationOf(settings),
        prefill: {},
        form_id: null,
        form_version: null,
      },
    ),
  };
}

const findOrganization = async ({ db }: Deps, { organization_id }: { organization_id: string }) =>
  toOrganization(
    await db
      .selectFrom('organization')
      .select(ORGANIZATION_COLUMNS)
      .where('id', '=', organization_id)
      .executeTakeFirstOrThrow(),
  );
