import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import type { Deps } from '../deps.ts';
import type { Database } from '../../db/schema.ts';
import { composeEmail } from '../../mail/compose-email.ts';
import type { DashboardEnv, FlashMessage } from './env.ts';
import { textArea, input, formErrorFlash, select } from './field-view.ts';
import { formStateOf, readFields, type FormState } from './fields.ts';
import { dashboardPage } from './dashboard-layout.ts';

type Organization = Selectable<Database['organization']>;

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/**
 * Dashboard page of the receipt settings: the organization's details on receipts, with a sample
 * receipt.
 */
export const receipts = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const organization = await find(deps, c);
      return await renderReceiptPage(deps, c, organization, receiptFormState(organization));
    })
    .post('/', async (c) => {
      const fields = await readFields(c);
      const change = {
        legal_name: fields.text('legal_name'),
        tax_id: fields.text('tax_id', 60),
        contact_email: fields.email('contact_email'),
        time_zone: fields.oneOf('time_zone', ZONES),
        receipt_note: fields.text('receipt_note', 500),
      };
      const { organizationId } = c.var.organization;
      const saved = await fields.submit(() =>
        deps.db
          .updateTable('organization')
          .set(change)
          .where('id', '=', organizationId)
          .executeTakeFirstOrThrow(),
      );
      if (!saved)
        return await renderReceiptPage(
          deps,
          c,
          await find(deps, c),
          fields,
          formErrorFlash(fields),
          400,
        );
      return await c.var.redirectWithFlash(c.req.path, {
        kind: 'success',
        text: 'Receipt settings saved.',
      });
    });

const find = ({ db }: Deps, c: Context<DashboardEnv>) =>
  db
    .selectFrom('organization')
    .selectAll()
    .where('id', '=', c.var.organization.organizationId)
    .executeTakeFirstOrThrow();

const receiptFormState = (organization: Organization) =>
  formStateOf({
    legal_name: organization.legal_name ?? '',
    tax_id: organization.tax_id ?? '',
    contact_email: organization.contact_email ?? '',
    time_zone: organization.time_zone,
    receipt_note: organization.receipt_note ?? '',
  });

async function renderReceiptPage(
  deps: Deps,
  c: Context<DashboardEnv>,
  organization: Organization,
  draft: FormState,
  flash?: FlashMessage,
  status: 200 | 400 = 200,
) {
  const content = html`<p class="muted">
      Donors who enter an email address get a receipt for each donation, in their own language.
      These details of your organization appear on it.
    </p>
    <form method="post" class="panel">
      ${input(draft, { name: 'legal_name', label: 'Legal name' })}
      ${input(draft, { name: 'tax_id', label: 'Tax ID', max: 60 })}
      ${input(draft, {
        name: 'contact_email',
        label: 'Email for replies',
        type: 'email',
        hint: 'Replies to receipts go to this address.',
      })}
      ${select(
        draft,
        {
          name: 'time_zone',
          label: 'Time zone',
          hint: 'Used for all dates and totals.',
        },
        ZONES.map((value) => ({ value, text: value.replaceAll('_', ' ') })),
      )}
      ${textArea(draft, {
        name: 'receipt_note',
        label: 'Tax statement',
        hint: 'Shown as entered, in every language. At most 500 characters.',
      })}
      <button>Save</button>
    </form>
    <h2 id="sample">Sample receipt</h2>
    <section class="panel" aria-labelledby="sample">
      <pre class="email-text">${await renderSampleReceipt(deps, organization)}</pre>
    </section>`;
  return c.html(dashboardPage(c.var.pageContext, 'Receipts', content, flash), status);
}

/** Renders a receipt for a fictitious donation. */
async function renderSampleReceipt(deps: Deps, organization: Organization): Promise<string> {
  const donation = {
    id: 'don_example',
    amount_cents: 5000,
    currency: organization.currency,
    paid_at: new Date(),
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
