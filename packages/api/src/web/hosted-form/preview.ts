import { ConnectError, FormSettings, type FormSession } from '@connect-embed/contract';
import { limitBody } from '@connect-embed/contract/hono';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { Env } from '../../http/env.ts';
import { ORGANIZATION_COLUMNS, toOrganization } from '../../http/credential-organization.ts';
import { securityHeaders } from '../../http/security-headers.ts';
import { findDonationTarget } from '../../payments/donation-target.ts';
import { describeForm } from '../../resources/embed-sessions.ts';
import { presentationOf } from '../../resources/forms/presentation.ts';
import type { Deps } from '../deps.ts';
import { messagePage } from '../layout.ts';
import { hostedHeaders } from './headers.ts';
import { createHostedTranslator, hostedPage } from './page.ts';
import { requireSameOrigin } from './same-origin.ts';

/** How long a preview can be used. */
const LIFETIME_MS = 3_600_000;

/** What a preview shows. It is part of the preview's URL, encrypted. */
const Preview = z.strictObject({
  organization_id: z.string(),
  settings: FormSettings,
  theme: z.enum(['light', 'dark']),
  /** Language of the form, such as `de`. */
  language: z.string(),
  /** End of the preview, in milliseconds since 1970. */
  until: z.int(),
});
export type Preview = z.infer<typeof Preview>;

const PATH = '/form-preview';

/** Returns the path of a preview of a form that is not saved. */
export async function createPreviewPath(
  { previewEncrypter }: Pick<Deps, 'previewEncrypter'>,
  preview: Omit<Preview, 'until'>,
): Promise<string> {
  const until = Date.now() + LIFETIME_MS;
  return `${PATH}/${await previewEncrypter.encrypt(JSON.stringify({ ...preview, until }))}`;
}

/**
 * Routes of previews in the dashboard: a page with the real donation form, which only the dashboard may
 * frame, and the endpoints of its form. It takes no donations: docs/decisions/0097-forms.md
 */
export const formPreview = (deps: Deps) =>
  new Hono<Env>()
    .get(`${PATH}/:token`, (c) => renderPreview(deps, c))
    .use(`${PATH}/:token/*`, securityHeaders, requireSameOrigin(deps), limitBody)
    .post(`${PATH}/:token/embed-sessions`, async (c) =>
      c.json(
        await createPreviewSession(deps, await requirePreview(deps, c.req.param('token'))),
        201,
      ),
    )
    .all(`${PATH}/:token/*`, () => {
      throw new ConnectError('forbidden', 'This is a preview. No donation was made.');
    });

async function renderPreview(deps: Deps, c: Context<Env>) {
  const { baseUrl, processor } = deps;
  const token = c.req.param('token') ?? '';
  const preview = await readPreview(deps, token);
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
      server: `${baseUrl}${PATH}/${token}`,
      organization: name,
      translator: createHostedTranslator(preview.language),
      appearance: { theme: preview.theme, framedBy: [origin] },
    }),
    200,
    headers,
  );
}

async function createPreviewSession(deps: Deps, preview: Preview): Promise<FormSession> {
  const { settings, until, organization_id } = preview;
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
    expires_at: new Date(until).toISOString(),
    form: await describeForm(
      deps,
      // A form can be prepared before the organization has an account at Stripe.
      { ...organization, processorAccountId: organization.processorAccountId ?? 'acct_none' },
      {
        terms,
        target,
        // The preview shows the form itself, also if pages show a button that opens it.
        presentation: presentationOf({ ...settings, display: 'inline' }),
        prefill: {},
        form_id: null,
        form_version: null,
      },
    ),
  };
}

const findOrganization = async ({ db }: Deps, { organization_id }: Preview) =>
  toOrganization(
    await db
      .selectFrom('organization')
      .select(ORGANIZATION_COLUMNS)
      .where('id', '=', organization_id)
      .executeTakeFirstOrThrow(),
  );

/** @throws {ConnectError} `not_found` */
async function requirePreview(deps: Deps, token: string): Promise<Preview> {
  const preview = await readPreview(deps, token);
  if (preview) return preview;
  throw new ConnectError('not_found', 'This preview has expired.', { code: 'page_expired' });
}

async function readPreview(
  { previewEncrypter }: Deps,
  token: string,
): Promise<Preview | undefined> {
  const text = await previewEncrypter.decrypt(token);
  const preview = Preview.safeParse(JSON.parse(text ?? 'null'));
  return preview.success && preview.data.until > Date.now() ? preview.data : undefined;
}
