import { sql, type Selectable } from 'kysely';
import { acrossOrganizations } from '../db/organization-scope.ts';
import { findOpenForm } from '../db/open-form.ts';
import type { Db, Database } from '../db/schema.ts';
import type { EmailKind, EmailDetails } from '../db/column-types.ts';
import { loadEmailAppearance, type EmailAppearance } from './email-appearance.ts';
import { findOwnServer, type ServerSettings } from '../db/own-server.ts';

/** Data of an email, loaded when it is sent. */
export interface MailContext {
  id: string;
  kind: EmailKind;
  details: EmailDetails;
  organization: Pick<
    Selectable<Database['organization']>,
    | 'name'
    | 'legal_name'
    | 'contact_email'
    | 'website'
    | 'tax_id'
    | 'time_zone'
    | 'receipt_note'
    | 'receipt_message'
  >;
  /** The organization's logo and color. Emails to owners have none. */
  appearance?: EmailAppearance;
  donation?: Pick<
    Selectable<Database['donation']>,
    | 'id'
    | 'amount_cents'
    | 'fee_cover_cents'
    | 'remaining_amount_cents'
    | 'currency'
    | 'paid_at'
    | 'livemode'
  >;
  /** The payment of an email about money that is on its way, or that was returned. */
  payment?: Pick<
    Selectable<Database['payment_intent']>,
    | 'id'
    | 'amount_cents'
    | 'currency'
    | 'status'
    | 'payment_method'
    | 'expected_at'
    | 'fund_id'
    | 'campaign_id'
    | 'form_id'
    | 'form_name'
    | 'failure_code'
    | 'livemode'
  >;
  /**
   * The giving page of the form through which the payment was made: a form of the dashboard that accepts donations, or
   * one of the server's configuration file.
   */
  giving_page?: { server: string; form: string };
  plan?: Pick<
    Selectable<Database['recurring_plan']>,
    | 'id'
    | 'amount_cents'
    | 'currency'
    | 'frequency'
    | 'status'
    | 'next_payment_at'
    | 'link_epoch'
    | 'livemode'
  >;
  /** The recipient: a donor, or an owner of the organization. */
  donor: { name: string | null; email: string | null; locale: string | null };
  /** Reference of the donation; for a recurring plan, that of its latest donation. */
  reference: string | null;
  fund_name: string | null;
  campaign_name: string | null;
}

/**
 * Loads the data of a queued email. Returns undefined if it was deleted.
 *
 * @param server whose giving pages emails link to, if they belong to the organization
 */
export async function loadMailContext(
  db: Db,
  id: string,
  server: ServerSettings = { serverBaseUrl: undefined, serverApiKey: undefined },
): Promise<MailContext | undefined> {
  const row = await selectMail(db, id).executeTakeFirst();
  if (!row) return undefined;
  const { organization_id, donation, payment, plan, name, email, locale, ...rest } = row;
  const given = donation ?? payment ?? plan;
  const [giving_page, appearance] = await Promise.all([
    rest.kind === 'donation_returned' && payment
      ? findGivingPage({ db, ...server }, organization_id, payment)
      : undefined,
    given && loadEmailAppearance(db, organization_id, given.form_id),
  ]);
  return {
    ...rest,
    ...(appearance && { appearance }),
    ...(giving_page && { giving_page }),
    donor: { name, email, locale },
    ...(donation && { donation: { ...donation, paid_at: new Date(donation.paid_at) } }),
    ...(payment && { payment: { ...payment, expected_at: dateOrNull(payment.expected_at) } }),
    ...(plan && { plan: { ...plan, next_payment_at: dateOrNull(plan.next_payment_at) } }),
  };
}

async function findGivingPage(
  deps: ServerSettings & { db: Db },
  organizationId: string,
  { form_id, form_name }: Pick<NonNullable<MailContext['payment']>, 'form_id' | 'form_name'>,
): Promise<MailContext['giving_page']> {
  const [server, openForm] = await Promise.all([
    findOwnServer(deps, organizationId),
    form_id ? findOpenForm(deps.db, organizationId, form_id) : undefined,
  ]);
  const form = form_id ? openForm?.slug : form_name;
  return server && form ? { server, form } : undefined;
}

const selectMail = (db: Db, id: string) =>
  acrossOrganizations(db)
    .selectFrom('mail')
    .innerJoin('organization', 'organization.id', 'mail.organization_id')
    .leftJoin('donation', 'donation.id', 'mail.donation_id')
    .leftJoin('payment_intent as payment', 'payment.id', 'mail.payment_intent_id')
    .leftJoin('recurring_plan as plan', (join) =>
      join.on(sql<boolean>`plan.id = coalesce(mail.plan_id, donation.plan_id, payment.plan_id)`),
    )
    .leftJoin('fund', (join) =>
      join.on(sql<boolean>`fund.id = coalesce(donation.fund_id, payment.fund_id, plan.fund_id)`),
    )
    .leftJoin('campaign', (join) =>
      join.on(
        sql<boolean>`campaign.id = coalesce(donation.campaign_id, payment.campaign_id, plan.campaign_id)`,
      ),
    )
    .leftJoin('person', (join) => join.on(sql<boolean>`person.id = mail.details ->> 'person_id'`))
    .where('mail.id', '=', id)
    .select([
      'mail.id',
      'mail.organization_id',
      'mail.kind',
      'mail.details',
      sql<MailContext['organization']>`to_json(organization)`.as('organization'),
      sql<(JsonRow<NonNullable<MailContext['donation']>> & FormId) | null>`to_json(donation)`.as(
        'donation',
      ),
      sql<JsonRow<NonNullable<MailContext['payment']>> | null>`to_json(payment)`.as('payment'),
      sql<(JsonRow<NonNullable<MailContext['plan']>> & FormId) | null>`to_json(plan)`.as('plan'),
      sql<
        string | null
      >`coalesce(person.name, donation.donor_name, payment.donor_name, plan.donor_name)`.as('name'),
      sql<
        string | null
      >`coalesce(person.email, donation.donor_email, payment.donor_email, plan.donor_email)`.as(
        'email',
      ),
      sql<string | null>`coalesce(donation.locale, payment.locale, plan.locale)`.as('locale'),
      sql<string | null>`coalesce(donation.reference, payment.reference, (
        select reference from donation as payment where payment.plan_id = plan.id
        order by payment.created_at desc limit 1))`.as('reference'),
      'fund.name as fund_name',
      'campaign.name as campaign_name',
    ]);

/** The form of a donation or plan, whose color its emails have. */
interface FormId {
  form_id: string | null;
}

/** In JSON, timestamps are strings. */
type JsonRow<Row> = { [Key in keyof Row]: Row[Key] extends Date | null ? string : Row[Key] };

const dateOrNull = (text: string | null) => (text === null ? null : new Date(text));
