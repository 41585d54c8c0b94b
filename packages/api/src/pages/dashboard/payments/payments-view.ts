import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { Html } from '../../layout.ts';
import { moment } from '../dashboard-layout.ts';
import { badge, empty, facts, table, type Column } from '../table.ts';
import type { AccountView } from './payments.ts';
import { requirementText, disabledReasonText } from './account-messages.ts';

type Domain = Selectable<Database['payment_domain']>;

/**
 * Page of the connected Stripe account and the domains registered for wallets.
 *
 * @param path URL path of this page
 */
export const paymentsView = (
  { path, timeZone }: { path: string; timeZone: string },
  account: AccountView,
  domains: Domain[],
): Html =>
  account.account
    ? html`${accountPanel(path, account, timeZone)} ${sites(path, domains)}`
    : html`<section class="panel">
        <p>
          Donations are paid into an account of your own at the card processor, Stripe. You open it
          once: Stripe asks who you are and where your bank account is, and leads you back here.
        </p>
        ${onboarding(path, 'Open an account')}
      </section>`;

function accountPanel(path: string, account: AccountView, timeZone: string): Html {
  const due = account.due ?? [];
  const unfinished = !account.charges_enabled || !account.payouts_enabled || due.length > 0;
  if (!account.read_at) {
    return html`<p class="panel">
      What your account may do is not known yet: the card processor cannot be reached at the moment.
    </p>`;
  }
  return html`<section class="panel" aria-labelledby="account">
    <h2 id="account">Your account</h2>
    ${facts([
      [
        'Taking donations',
        account.charges_enabled ? badge('Possible', 'good') : badge('Not yet', 'wait'),
      ],
      [
        'Payouts to your bank',
        account.payouts_enabled ? badge('Possible', 'good') : badge('Not yet', 'wait'),
      ],
      ['Held up because', account.disabled_reason && disabledReasonText(account.disabled_reason)],
      ['Account ID', html`<code>${account.account}</code>`],
      ['Last updated', moment(account.read_at, timeZone)],
    ])}
    ${
      due.length > 0
        ? html`<p>Stripe still asks for:</p>
            <ul>
              ${due.map((need) => html`<li>${requirementText(need)}</li>`)}
            </ul>`
        : ''
    }
    ${unfinished ? onboarding(path, account.details_submitted ? 'Answer what Stripe asks' : 'Go on with opening it') : ''}
  </section>`;
}

const onboarding = (path: string, verb: string) =>
  html`<form method="post" action="${path}/onboarding"><button>${verb}</button></form>`;

const sites = (path: string, domains: Domain[]): Html =>
  html`<h2>Sites with your form</h2>
    <p>
      Apple Pay and Google Pay show only on sites that are named here. Name every site where your
      form is, with and without <code>www</code>.
    </p>
    ${domains.length > 0 ? table('Sites', columnsAt(path), domains) : empty('No site is named yet.')}
    <form method="post" action="${path}/domains" class="panel">
      <div class="field">
        <label for="domain">Site</label>
        <input id="domain" name="domain" required maxlength="300" autocomplete="off" />
        <span class="small quiet">Such as www.example.org</span>
      </div>
      <p class="buttons"><button>Name this site</button></p>
    </form>`;

const columnsAt = (path: string): Column<Domain>[] => [
  { head: 'Site', as: 'row', cell: ({ domain }) => domain },
  { head: 'Apple Pay', cell: ({ apple_pay, problem }) => wallet(apple_pay, problem) },
  { head: 'Google Pay', cell: ({ google_pay }) => wallet(google_pay, null) },
  {
    head: 'Remove',
    as: 'quiet',
    cell: ({ domain }) =>
      html`<form method="post" action="${path}/domains/remove">
        <input type="hidden" name="domain" value="${domain}" />
        <button class="second">Remove<span class="hidden"> ${domain}</span></button>
      </form>`,
  },
];

const wallet = (status: string | null, problem: string | null): Html =>
  status === 'active'
    ? badge('Shows', 'good')
    : html`${badge('Does not show', 'wait')}
      ${problem && html`<span class="small">${problem}</span>`}`;
