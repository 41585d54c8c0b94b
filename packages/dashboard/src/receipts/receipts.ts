import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Deps } from '../pages/deps.ts';
import type { Database } from '@connect-embed/api/db/schema';
import { composeEmail } from '@connect-embed/api/mail/compose-email';
import type { DashboardEnv } from '../pages/env.ts';
import { textArea } from '../pages/field-view.ts';
import { email, text, timeZone, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';

type Organization = Selectable<Database['organization']>;

/** The organization's details on receipts. */
type ReceiptInput = Pick<
  Organization,
  'legal_name' | 'tax_id' | 'contact_email' | 'time_zone' | 'receipt_note'
>;

const FIELDS: FieldsOf<ReceiptInput> = {
  legal_name: text({ label: 'Legal name' }),
  tax_id: text({ label: 'Tax ID', max: 60 }),
  contact_email: email({
    label: 'Email for replies',
    hint: 'Replies to receipts go to this address.',
  }),
  time_zone: timeZone({ label: 'Time zone', hint: 'Used for all dates and totals.' }),
  receipt_note: {
    ...text({
      label: 'Tax statement',
      hint: 'Shown as entered, in every language. At most 500 characters.',
      max: 500,
    }),
    render: textArea,
  },
};

/**
 * Dashboard page of the receipt settings: the organization's details on receipts, with a sample
 * receipt.
 */
export const receipts = (deps: Deps) => {
  const settings = settingsPage(deps);
  return new Hono<DashboardEnv>().get('/', settings.show).post('/', settings.submit);
};

const settingsPage = (deps: Deps) =>
  formPage<Organization, ReceiptInput>({
    load: (c) =>
      deps.db
        .selectFrom('organization')
        .selectAll()
        .where('id', '=', c.var.organization.organizationId)
        .executeTakeFirstOrThrow(),
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
    content: async (form, organization) =>
      html`<p class="muted">
          Donors who enter an email address get a receipt for each donation, in their own language.
          These details of your organization appear on it.
        </p>
        ${form}
        <h2 id="sample">Sample receipt</h2>
        <section class="panel" aria-labelledby="sample">
          <pre class="email-text">${await renderSampleReceipt(deps, organization)}</pre>
        </section>`,
  });

/** Renders a receipt for a fictitious donation. */
async function renderSampleReceipt(deps: Deps, organization: Organization): Promise<string> {
  const donation = {
    id: 'don_example',
    amount_cents: 5000,
    remaining_amount_cents: 5000,
    currency: organization.currency,
    paid_at: new Date(),
    livemode: true,
  };
  const donor = { name: 'Ada Lovelace', email: 'ada@example.org', locale: 'en-US' };
  const email = await composeEmail(
    {
      ...{ id: 'mail_example', kind: 'receipt', details: {}, organization, donation, donor },
      reference: 'K7QM-4XTZ',
      fund_name: null,
      campaign_name: null,
    },
    { from: deps.mailConfig.from, manageLinks: deps.manageLinks },
  );
  return email?.text ?? '';
}
