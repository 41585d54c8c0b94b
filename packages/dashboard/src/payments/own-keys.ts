import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { html } from 'hono/html';
import {
  findOwnKeys,
  saveOwnKeys,
  saveWebhookSecret,
  type KeysInput,
} from '@connect-embed/api/payments/own-keys/manage-keys';
import { removeOwnKeys } from '@connect-embed/api/payments/own-keys/remove-keys';
import { EVENT_TYPES, eventsUrl } from '@connect-embed/api/payments/own-keys/webhook-endpoint';
import { permissionNames } from '@connect-embed/api/payments/stripe/key-permissions';
import { loadGoLiveState } from '../go-live/load-state.ts';
import type { Deps } from '../pages/deps.ts';
import { messagePage } from '@connect-embed/api/http/page-shell';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { input } from '../pages/field-view.ts';
import { actionRoutes } from '../pages/actions.ts';
import { required, secret, text, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { facts } from '../pages/table.ts';

const isSecretKey = (text: string) => /^\s*[sr]k_/.test(text);

const publishableKey = text({
  label: 'Publishable key',
  hint: 'Starts with pk_live_ or pk_test_.',
  max: 300,
});

const KEY_FIELDS: FieldsOf<KeysInput> = {
  publishable_key: required(
    {
      ...publishableKey,
      // People confuse the two keys. A secret key must not be in the page.
      render: (draft, field) => {
        const typed = draft.value(field.name);
        const value = isSecretKey(typed) ? '' : typed;
        return input({ value: () => value, problems: draft.problems }, field);
      },
      read: (form, name) => {
        if (isSecretKey(form.value(name)))
          form.addError(name, 'This is a secret key. Enter it in the field “Secret key”.');
        return publishableKey.read(form, name);
      },
    },
    'Enter the publishable key.',
  ),
  secret_key: required(
    secret({
      label: 'Secret key',
      hint: 'Starts with sk_live_ or sk_test_. A restricted key (rk_…) works too.',
      max: 300,
    }),
    'Enter the secret key.',
  ),
};

/** Pages for the keys of an organization's own Stripe account. Only owners can change them. */
export const ownKeys = (deps: Deps) => {
  const keys = keysPage(deps);
  const webhook = webhookSecretPage(deps);
  return new Hono<DashboardEnv>()
    .use(requireOwner, requireSecondFactor)
    .get('/', keys.show)
    .post('/', keys.submit)
    .get('/webhook', webhook.show)
    .post('/webhook', webhook.submit)
    .route('/', removal(deps));
};

const requireOwner = createMiddleware<DashboardEnv>(async (c, next) => {
  if (c.var.organization.role === 'owner') return await next();
  const link = { href: pathOf(c), text: 'Back' };
  return c.html(
    messagePage('You do not have access', 'Only owners can change Stripe keys.', link),
    403,
  );
});

const memberOf = (c: DashboardContext) => ({
  organizationId: c.var.organization.organizationId,
  personId: c.var.pageContext.person.id,
});

const pathOf = (c: DashboardContext, page = '') => organizationPath(c, `/payments${page}`);
const backLink = (_: unknown, c: DashboardContext) => ({ href: pathOf(c), text: 'Payments' });

const keysPage = (deps: Deps) =>
  formPage<object, KeysInput>({
    load: async () => ({}),
    title: () => 'Use your own Stripe account',
    backLink,
    action: (_, c) => pathOf(c, '/keys'),
    fields: () => KEY_FIELDS,
    values: () => ({}),
    submitLabel: 'Check and save keys',
    save: async (input, _, c) => {
      const account = await saveOwnKeys(deps, memberOf(c), input);
      const stored = await findOwnKeys(deps, c.var.organization.organizationId);
      if (!stored?.has_webhook_secret) {
        const success = 'Stripe accepted your keys. One step is left.';
        return { path: pathOf(c, '/keys/webhook'), success };
      }
      // The first live keys are one step of several, which that page shows.
      const goesLive = stored.livemode && c.var.organization.livemode !== true;
      return {
        path: goesLive ? organizationPath(c, '/go-live') : pathOf(c),
        success: account.chargesEnabled
          ? 'Stripe accepted your keys. You can take card payments.'
          : 'Stripe accepted your keys, but your account cannot take payments yet.',
      };
    },
    content: (form) => html`${KEYS_HELP} ${form}`,
  });

const KEYS_HELP = html`<section class="panel" aria-labelledby="keys-help">
  <h2 id="keys-help">Where to find your keys</h2>
  <div class="text">
    <ol>
      <li>
        Sign in at
        <a href="https://dashboard.stripe.com/apikeys" rel="noreferrer">dashboard.stripe.com</a>
        and open Developers, then API keys.
      </li>
      <li>Copy the publishable key and the secret key. Stripe shows a secret key only once.</li>
      <li>
        To try everything without real money, turn on test mode in Stripe and use its test keys.
        Live keys replace them later. Test keys replace live keys only while no recurring donation
        runs and no payment is being completed.
      </li>
    </ol>
  </div>
  <p class="muted">
    We check both keys with Stripe at once. The secret key is stored encrypted and never shown
    again.
  </p>
  <details>
    <summary>Permissions of a restricted key</summary>
    <p>With a restricted key instead of the secret key, choose these permissions in Stripe:</p>
    ${facts([
      ['Write', permissionNames('Write')],
      ['Read', permissionNames('Read')],
      [
        'Write, optional',
        'Webhook Endpoints. Payment notifications are then set up automatically.',
      ],
    ])}
  </details>
</section>`;

interface WebhookInput {
  webhook_secret: string;
}

const webhookSecretPage = (deps: Deps) =>
  formPage<string, WebhookInput>({
    load: async (c) => eventsUrl(deps.baseUrl, c.var.organization.organizationId),
    title: () => 'Payment notifications',
    backLink,
    action: (_, c) => pathOf(c, '/keys/webhook'),
    fields: () => ({
      webhook_secret: required(
        secret({
          label: 'Signing secret',
          hint: 'Stripe shows it after you have added the endpoint. Starts with whsec_.',
          max: 300,
        }),
        'Enter the signing secret.',
      ),
    }),
    values: () => ({}),
    submitLabel: 'Save signing secret',
    save: async ({ webhook_secret }, _, c) => {
      await saveWebhookSecret(deps, memberOf(c), webhook_secret);
      const { livemode, organizationId } = c.var.organization;
      const goesLive =
        livemode === true && !(await loadGoLiveState(deps.db, organizationId)).liveDonation;
      return {
        path: goesLive ? organizationPath(c, '/go-live') : pathOf(c),
        success: 'Saved. Stripe notifies Connect of your payments.',
      };
    },
    content: (form, url) =>
      html`<section class="panel" aria-labelledby="endpoint-help">
          <h2 id="endpoint-help">Add an endpoint in Stripe</h2>
          <p>
            Stripe notifies Connect of each payment. This could not be set up automatically, because
            your key lacks the permission, or Stripe cannot reach this service. In Stripe, open
            Developers, then Webhooks, and add an endpoint with this address:
          </p>
          <p><code>${url}</code></p>
          <p>Select these events:</p>
          <div class="text">
            <ul>
              ${EVENT_TYPES.map((type) => html`<li><code>${type}</code></li>`)}
            </ul>
          </div>
        </section>
        ${form}`,
  });

const removal = (deps: Deps) =>
  actionRoutes<object>(
    { load: async () => ({}), page: (row, c) => backLink(row, c) },
    {
      remove: {
        confirmation: () => ({
          title: 'Remove your Stripe keys?',
          text: 'Your forms stop taking donations at once, and refunds are not possible here. Donations that were made stay in your lists. You can enter keys of the same account again at any time.',
          buttonLabel: 'Remove keys',
        }),
        run: (_, c) => removeOwnKeys(deps, memberOf(c)),
        success: 'Stripe keys removed.',
      },
    },
  );
