import { DEFAULT_FEE, feeCoverCents } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Deps } from '../pages/deps.ts';
import type { Database } from '@connect-embed/api/db/schema';
import { composeEmail } from '@connect-embed/api/mail/compose-email';
import { loadEmailAppearance } from '@connect-embed/api/mail/email-appearance';
import type { Email } from '@connect-embed/api/db/column-types';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { EMAIL_HEADERS } from '../pages/email-headers.ts';
import { email, multilineText, text, timeZone, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';

type Organization = Selectable<Database['organization']>;

type ReceiptInput = Pick<
  Organization,
  'legal_name' | 'tax_id' | 'contact_email' | 'time_zone' | 'receipt_message' | 'receipt_note'
>;

const FIELDS: FieldsOf<ReceiptInput> = {
  legal_name: text({ label: 'Legal name' }),
  tax_id: text({ label: 'Tax ID', max: 60 }),
  contact_email: email({
    label: 'Email for replies',
    hint: 'Replies to receipts go to this address.',
  }),
  time_zone: timeZone({ label: 'Time zone', hint: 'Used for all dates and totals.' }),
  receipt_message: multilineText({
    label: 'Your own sentence',
    hint: 'Below the thanks, shown as entered in every language. At most 300 characters.',
    max: 300,
  }),
  receipt_note: multilineText({
    label: 'Tax statement',
    hint: 'Shown as entered, in every language. At most 500 characters.',
    max: 500,
  }),
};

/**
 * Dashboard page of the receipt settings: the organization's details on receipts, with a sample
 * receipt as text. `/sample` is the same receipt as most mail programs show it.
 */
export const receipts = (deps: Deps) => {
  const settings = settingsPage(deps);
  return new Hono<DashboardEnv>()
    .get('/', settings.show)
    .post('/', settings.submit)
    .get('/sample', async (c) => {
      const { html } = await composeSample(deps, await loadOrganization(deps, c));
      return c.html(html, 200, EMAIL_HEADERS);
    });
};

const loadOrganization = ({ db }: Deps, c: DashboardContext) =>
  db
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', c.var.organization.organizationId)
    .executeTakeFirstOrThrow();

const settingsPage = (deps: Deps) =>
  formPage<Organization, ReceiptInput>({
    load: (c) => loadOrganization(deps, c),
    title: () => 'Receipts',
    action: (_, c) => c.req.path,
    fields: () => FIELDS,
    values: (organization) => organization,
    submitLabel: 'Save',
    save: async (input, { id }, c) => {
      await deps.db
        .updateTable('organization')
        .set(input)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { path: c.req.path, success: 'Receipt settings saved.' };
    },
    content: async (form, organization, c) =>
      html`<p class="muted">
          Donors who enter an email address get a receipt for each donation, in their own language.
          These details of your organization appear on it.
        </p>
        ${form}
        <h2 id="sample">Sample receipt</h2>
        <section class="panel" aria-labelledby="sample">
          <p>
            The donor of this receipt added the processing fee.
            <a href="${c.req.path}/sample">See it with your logo and color</a>
          </p>
          <pre class="email-text">${(await composeSample(deps, organization)).text}</pre>
        </section>`,
  });

/** Composes a receipt for a fictitious donation, whose donor covered the fee. */
async function composeSample(deps: Deps, organization: Organization): Promise<Email> {
  const { baseUrl, manageLinks } = deps;
  const { currency } = organization;
  const rate = {
    fee_cover_basis_points: DEFAULT_FEE.basis_points,
    fee_cover_fixed_cents: DEFAULT_FEE.fixed_cents,
  };
  const fee_cover_cents = feeCoverCents(rate, 5000, currency);
  const amount_cents = 5000 + fee_cover_cents;
  const donation = {
    id: 'don_example',
    amount_cents,
    fee_cover_cents,
    currency,
    remaining_amount_cents: amount_cents,
    paid_at: new Date(),
    livemode: true,
  };
  const donor = { name: 'Ada Lovelace', email: 'ada@example.org', locale: 'en-US' };
  const email = await composeEmail(
    {
      id: 'mail_example',
      kind: 'receipt',
      details: {},
      organization,
      donation,
      donor,
      appearance: await loadEmailAppearance(deps.db, organization.id, null),
      reference: 'K7QM-4XTZ',
      fund_name: null,
      campaign_name: null,
    },
    { from: deps.mailConfig.from, baseUrl, manageLinks },
  );
  return email!; // Only a donor without an address gets no email.
}
