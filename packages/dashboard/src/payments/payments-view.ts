import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import type { findOwnKeys } from '@connect-embed/api/payments/own-keys/manage-keys';
import type { Html } from '@connect-embed/api/lib/html';
import { exactTimeElement } from '../pages/dashboard-layout.ts';
import { badge, empty, facts, table, type Column } from '../pages/table.ts';
import { requirementText, disabledReasonText } from './account-messages.ts';
import { paymentMethodsPanel } from './payment-methods.ts';

type Domain = Selectable<Database['payment_domain']>;
type AccountColumn =
  | 'charges_enabled'
  | 'payouts_enabled'
  | 'details_submitted'
  | 'disabled_reason'
  | 'requirements_due'
  | 'payment_method_types'
  | 'fetched_at';

/**
 * The id of the organization's Stripe account and its saved state. Each value is null if there is
 * no account or no saved state yet.
 */
export type AccountView = { account: string | null; chosen_methods: string[] } & {
  [Column in AccountColumn]: Selectable<Database['processor_account']>[Column] | null;
};

/** The organization's own keys; undefined if its account is used through the platform. */
type Keys = Awaited<ReturnType<typeof findOwnKeys>>;

interface Page {
  path: string;
  /** URL path of the page “Allowed sites”. */
  allowedSitesPath: string;
  /** URL path of the page “Take real donations”. */
  goLivePath: string;
  timeZone: string;
  currency: string;
  /** Whether an account can be opened through this service's platform. */
  hasPlatform: boolean;
  isPlatformLive: boolean;
  isOwner: boolean;
}

/** Renders the page of the organization's Stripe account and of the domains registered for wallets. */
export const paymentsView = (
  page: Page,
  account: AccountView & { keys: Keys },
  domains: Domain[],
): Html => {
  if (!account.account) return noAccountView(page);
  const { keys } = account;
  const methods = {
    currency: page.currency,
    chosen: account.chosen_methods,
    enabled: account.payment_method_types ?? [],
  };
  return html`${accountPanel(page, account, keys !== undefined)}
  ${paymentMethodsPanel(page, methods)}
  ${keys ? ownKeysPanel(page, keys, areKeysRejected(account)) : ''} ${domainsView(page, domains)}
  ${keys ? '' : ownAccountPanel(page, OTHER_ACCOUNT)}`;
};

const noAccountView = (page: Page): Html =>
  page.hasPlatform
    ? html`<p>
          Donations are paid into an account of your organization at Stripe, which processes the
          cards. There are two ways to it.
        </p>
        <div class="two-columns">${connectPanel(page)} ${ownAccountPanel(page, HAVE_KEYS)}</div>`
    : html`<p class="muted">
          Donations are paid into your own account at the card processor, Stripe.
        </p>
        ${ownAccountPanel(page, ANY_ACCOUNT)}`;

/** Leads to Stripe, which opens an account through this service's platform. */
const connectPanel = ({ path, isPlatformLive }: Page): Html =>
  html`<section class="panel" aria-labelledby="connect">
    <h2 id="connect">Connect with Stripe</h2>
    <p>
      You need no keys. Stripe asks about your organization and its bank account, and then returns
      you here. If you have a login at Stripe, use it there.
    </p>
    <p class="small muted">
      ${
        isPlatformLive
          ? 'Donations are real as soon as Stripe has checked what you entered.'
          : 'This service is in test mode: no real money moves with such an account.'
      }
    </p>
    ${onboarding(path, 'Connect with Stripe')}
  </section>`;

const ANY_ACCOUNT = html`Your organization has an account at Stripe, or opens one at
  <a href="https://dashboard.stripe.com/register" rel="noreferrer">stripe.com</a>. You enter its two
  keys here.`;
const HAVE_KEYS = html`You have an account at Stripe, and copy two keys from it. With its test keys
you try everything without money; live keys begin with real donations when you decide.`;
const OTHER_ACCOUNT = html`Instead of the account above, you can use your own by entering its two
keys. Once you have donations, they must be the keys of the same account.`;

/** Leads to the page where an owner enters keys. */
const ownAccountPanel = ({ path, hasPlatform, isOwner }: Page, text: Html): Html =>
  html`<section class="panel" aria-labelledby="own-account">
    <h2 id="own-account">Use your own Stripe account</h2>
    <p>${text}</p>
    ${
      isOwner
        ? html`<p>
            <a class="button ${hasPlatform ? 'secondary' : ''}" href="${path}/keys"
              >Enter Stripe keys</a
            >
          </p>`
        : html`<p class="muted">Only an owner can enter them.</p>`
    }
  </section>`;

const areKeysRejected = ({ disabled_reason }: AccountView) => disabled_reason === 'keys_rejected';

const ownKeysPanel = (
  { path, goLivePath, isOwner }: Page,
  keys: NonNullable<Keys>,
  areRejected: boolean,
): Html =>
  html`<section class="panel" aria-labelledby="keys">
    <h2 id="keys">Stripe keys</h2>
    ${facts([
      [
        'Mode',
        keys.livemode ? badge('Live', 'positive') : badge('Test: no money moves', 'pending'),
      ],
      ['Secret key', html`<code>…${keys.secret_key_end}</code>`],
      ['Publishable key', html`<code>…${keys.publishable_key.slice(-4)}</code>`],
      [
        'Payment notifications',
        keys.has_webhook_secret ? badge('Set up', 'positive') : badge('Not set up', 'pending'),
      ],
    ])}
    <p>
      ${
        keys.livemode
          ? html`To try something without money, replace these keys with test keys of the same
              Stripe account. Real donations stay.
              <a href="${goLivePath}#back">What happens with test keys</a>`
          : html`Live keys replace the test keys when you are ready.
              <a href="${goLivePath}">Take real donations</a>`
      }
    </p>
    ${
      isOwner
        ? html`<p class="buttons">
            ${keys.has_webhook_secret ? '' : html`<a class="button" href="${path}/keys/webhook">Set up notifications</a>`}
            <a class="button ${areRejected ? '' : 'secondary'}" href="${path}/keys">Replace keys</a>
            <a class="button danger" href="${path}/keys/remove">Remove keys</a>
          </p>`
        : ''
    }
  </section>`;

function accountPanel(
  { path, timeZone, hasPlatform }: Page,
  account: AccountView,
  isOwn: boolean,
): Html {
  const requirementsDue = account.requirements_due ?? [];
  const needsOnboarding =
    !account.charges_enabled || !account.payouts_enabled || requirementsDue.length > 0;
  if (!account.fetched_at) {
    return html`<p class="panel">
      The status of your account is not available because the card processor could not be reached.
      Try again later.
    </p>`;
  }
  return html`<section class="panel" aria-labelledby="account">
    <h2 id="account">Your account</h2>
    ${facts([
      [
        'Donations',
        account.charges_enabled ? badge('Enabled', 'positive') : badge('Not enabled', 'pending'),
      ],
      [
        'Payouts',
        account.payouts_enabled ? badge('Enabled', 'positive') : badge('Not enabled', 'pending'),
      ],
      ['Restriction', account.disabled_reason && disabledReasonText(account.disabled_reason)],
      ['Account ID', html`<code>${account.account}</code>`],
      ['Last updated', exactTimeElement(account.fetched_at, timeZone)],
    ])}
    ${
      requirementsDue.length > 0
        ? html`<p>Stripe still needs:</p>
            <ul>
              ${requirementsDue.map((requirement) => html`<li>${requirementText(requirement)}</li>`)}
            </ul>`
        : ''
    }
    ${needsOnboarding && isOwn && !areKeysRejected(account) ? STRIPE_DASHBOARD : ''}
    ${
      needsOnboarding && !isOwn && hasPlatform
        ? onboarding(path, account.details_submitted ? 'Provide information' : 'Continue setup')
        : ''
    }
  </section>`;
}

/** An account with own keys is completed in Stripe's own dashboard. */
const STRIPE_DASHBOARD = html`<p>
  <a class="button" href="https://dashboard.stripe.com" rel="noreferrer">Continue at Stripe</a>
</p>`;

const onboarding = (path: string, buttonLabel: string) =>
  html`<form method="post" action="${path}/onboarding"><button>${buttonLabel}</button></form>`;

const domainsView = ({ path, allowedSitesPath }: Page, domains: Domain[]): Html =>
  html`<h2>Apple Pay and Google Pay</h2>
    <p>
      Websites that you add under <a href="${allowedSitesPath}">Allowed sites</a> are listed here,
      too. Stripe activates them within minutes. Add a website here only if an entry for all
      subdomains allows it, such as <code>https://*.example.org</code>.
    </p>
    ${domains.length > 0 ? table('Websites', columnsAt(path), domains) : empty('No websites yet.')}
    <form method="post" action="${path}/domains" class="panel">
      <div class="field">
        <label for="domain">Website</label>
        <input id="domain" name="domain" required maxlength="300" autocomplete="off" />
        <span class="small muted">For example, www.example.org</span>
      </div>
      <p class="buttons"><button>Add website</button></p>
    </form>`;

const columnsAt = (path: string): Column<Domain>[] => [
  { head: 'Website', as: 'rowHeader', cell: ({ domain }) => domain },
  { head: 'Apple Pay', cell: ({ apple_pay, problem }) => wallet(apple_pay, problem) },
  { head: 'Google Pay', cell: ({ google_pay }) => wallet(google_pay, null) },
  {
    head: 'Remove',
    as: 'muted',
    cell: ({ domain }) =>
      html`<form method="post" action="${path}/domains/remove">
        <input type="hidden" name="domain" value="${domain}" />
        <button class="secondary">Remove<span class="hidden"> ${domain}</span></button>
      </form>`,
  },
];

const wallet = (status: string | null, problem: string | null): Html =>
  status === 'active'
    ? badge('Active', 'positive')
    : html`${badge('Inactive', 'pending')} ${problem && html`<span class="small">${problem}</span>`}`;
