import { formatDate, formatMoney } from '@connect-embed/contract';
import { createTranslator, type MessageKey, type Translator } from '@connect-embed/locales';
import type { ManageLinks } from './manage-link.ts';
import { renderText, type EmailContent } from './email-content.ts';
import { renderHtml } from './layout.ts';
import { attackAlertContent, siteRequestContent } from './owner-emails.ts';
import type { MailContext as AnyMailContext } from './mail-context.ts';
import type { DonorEmailKind, Email } from '../db/column-types.ts';
import { debitFailure } from '../lib/debit-failure.ts';
import { givingQuery, givingUrl } from '../lib/giving-url.ts';

export interface ComposeOptions {
  /** Email address of the sender. The sender's name is the organization's. */
  from: string;
  /** Public URL of this service, where logos are. */
  baseUrl: string;
  manageLinks: ManageLinks;
}

type Key = MessageKey<'email' | 'donation'>;
type EmailTranslator = Translator<Key>;
type DonorMailContext = AnyMailContext & { kind: DonorEmailKind };

/**
 * Composes an email to a donor or an owner. Returns undefined if there is nothing to send: no recipient
 * address, or the donation or payment has changed since it was queued.
 */
export async function composeEmail(
  context: AnyMailContext,
  options: ComposeOptions,
): Promise<Email | undefined> {
  const { donor, organization, kind, payment, appearance } = context;
  const { baseUrl } = options;
  if (!donor.email) return undefined;
  // The bank may have answered since the email was queued, and the donor may have paid in another way.
  if (kind === 'donation_processing' && payment?.status !== 'processing') return undefined;
  if (kind === 'donation_returned' && payment?.status !== 'failed') return undefined;
  if (kind === 'receipt' && context.donation?.remaining_amount_cents === 0) return undefined;
  const translator = createTranslator(donor.locale, 'email', 'donation');
  const content =
    kind === 'card_testing'
      ? attackAlertContent(context)
      : kind === 'site_request'
        ? siteRequestContent(context)
        : contentOf({ ...context, kind }, translator, options.manageLinks);
  const name = oneLine(organization.name);
  return {
    id: context.id,
    from: { name, address: options.from },
    to: { name: oneLine(donor.name ?? ''), address: donor.email },
    replyTo: organization.contact_email ?? undefined,
    subject: oneLine(content.subject),
    text: renderText(content, organization.name),
    html: String(
      await renderHtml(content, { name: organization.name, appearance, baseUrl }, translator),
    ),
    language: translator.language,
    messageId: `<${context.id}@${options.from.split('@').at(-1)}>`,
  };
}

/** Removes line breaks, which would allow header injection by a name. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim();

function contentOf(
  context: DonorMailContext,
  translator: EmailTranslator,
  manageLinks: ManageLinks,
): EmailContent {
  const { kind, donor, organization } = context;
  const parts = messageParams(context, translator);
  const t = (key: Key) => translator.translate(key, parts);
  const isReceipt = kind === 'receipt';
  const isTest = (context.donation ?? context.payment ?? context.plan)?.livemode === false;
  const action = actionOf(context, translator, manageLinks);
  return {
    subject: t(`${kind}_subject`),
    preview: t(isTest ? 'test_notice' : `${kind}_text`),
    paragraphs: [
      donor.name ? translator.translate('hello_name', { name: donor.name }) : t('hello'),
      ...(isTest ? [t('test_notice')] : []),
      t(`${kind}_text`),
      ...(isReceipt && organization.receipt_message ? [organization.receipt_message] : []),
      ...(isReceipt && !isTest ? [t('receipt_keep')] : []),
      ...(kind === 'donation_returned' ? [translator.translate(...tryAgainText(context))] : []),
    ],
    rows: kind === 'plan_link' ? [] : rowsOf(context, translator),
    ...(action && { action }),
    footer: [
      ...(isReceipt ? taxLines(organization, translator) : []),
      ...(DONOR_INITIATED.has(kind) ? [t('not_you')] : []),
      t('sent_by'),
    ],
  };
}

/**
 * Changes that a donor makes themselves. These emails also say what to do if the donor did not
 * make the change.
 */
const DONOR_INITIATED = new Set<DonorMailContext['kind']>([
  'plan_amount',
  'plan_card',
  'plan_paused',
  'plan_resumed',
  'plan_canceled',
]);

function messageParams(
  { kind, details, organization, donation, payment, plan }: DonorMailContext,
  { locale }: EmailTranslator,
) {
  const given = donation ?? payment ?? plan;
  const currency = given?.currency ?? 'usd';
  const money = (cents: number | undefined) => formatMoney(cents ?? 0, currency, locale);
  const amounts: Partial<Record<DonorMailContext['kind'], number | undefined>> = {
    receipt: donation?.remaining_amount_cents,
    refund: details.refunded_cents,
    plan_amount: details.after_cents,
  };
  return {
    org: organization.name,
    amount: money(amounts[kind] ?? given?.amount_cents),
    before: money(details.before_cents),
  };
}

function rowsOf(context: DonorMailContext, translator: EmailTranslator): EmailContent['rows'] {
  const { kind, donation, payment, plan, details, organization } = context;
  const { translate, locale } = translator;
  const date = (at: Date) =>
    formatDate(at, 'long-date', { locale, timeZone: organization.time_zone });
  const rows: [Key, string | false | null | undefined][] = [];
  const { refunded_cents } = details;
  if (kind === 'refund' && donation && refunded_cents !== undefined) {
    rows.push(['refunded', formatMoney(refunded_cents, donation.currency, locale)]);
  }
  const { amount_cents, currency } = donation ?? payment ?? plan ?? {};
  if (amount_cents !== undefined && currency) {
    const cents = kind === 'plan_amount' ? (details.after_cents ?? amount_cents) : amount_cents;
    const cover = kind === 'receipt' ? donation?.fee_cover_cents : 0;
    if (cover) {
      rows.push(['gift_without_fee', formatMoney(cents - cover, currency, locale)]);
      rows.push(['processing_fee', formatMoney(cover, currency, locale)]);
    }
    rows.push([cover ? 'total' : 'amount', formatMoney(cents, currency, locale)]);
  }
  if (kind === 'receipt' && donation && donation.remaining_amount_cents < donation.amount_cents) {
    const { amount_cents: given, remaining_amount_cents: remaining } = donation;
    rows.push(['returned', formatMoney(given - remaining, donation.currency, locale)]);
    rows.push(['remaining', formatMoney(remaining, donation.currency, locale)]);
  }
  rows.push(['date', donation && date(donation.paid_at)]);
  const expectedAt = kind === 'donation_processing' ? payment?.expected_at : null;
  rows.push(['expected', expectedAt && date(expectedAt)]);
  const failureCode = payment?.status === 'failed' ? payment.failure_code : details.failure_code;
  const failure = debitFailure(failureCode);
  rows.push(['reason', failure && translate(failure)]);
  rows.push(['fund', context.fund_name], ['campaign', context.campaign_name]);
  if (plan) {
    rows.push(['repeats', translate(plan.frequency)]);
    // The next payment is made as soon as there is another payment method.
    if (kind !== 'plan_first_failed' && kind !== 'plan_method_lost') {
      rows.push(['next_gift', plan.next_payment_at && date(plan.next_payment_at)]);
    }
  }
  rows.push(['reference', context.reference]);
  return rows.flatMap(([key, value]) => (value ? [[translate(key), value]] : []));
}

function actionOf(
  context: DonorMailContext,
  { translate }: EmailTranslator,
  manageLinks: ManageLinks,
): EmailContent['action'] {
  const { plan, payment, kind, giving_page, details } = context;
  if (kind === 'donation_returned' && payment && giving_page) {
    const { currency, fund_id: fund } = payment;
    const amount_cents = payment.amount_cents - (details.fee_cover_cents ?? 0);
    const query = givingQuery({ amount_cents, currency, frequency: 'one_time', fund });
    const url = givingUrl(giving_page, query);
    return { text: translate('try_again'), url, note: translate('try_again_note') };
  }
  if (!plan || kind === 'plan_canceled') return undefined;
  const text = translate(NEEDS_OTHER_METHOD.has(kind) ? 'change_method' : 'manage');
  return { text, url: manageLinks.url(plan), note: translate('manage_note') };
}

/** Emails that ask the donor of a recurring donation for another payment method. */
const NEEDS_OTHER_METHOD = new Set<DonorMailContext['kind']>([
  'plan_failed',
  'plan_first_failed',
  'plan_method_lost',
]);

/** Says how to try again after a returned payment: with the button below, or on the organization's website. */
function tryAgainText({
  giving_page,
  organization: { name, website },
}: DonorMailContext): [Key, Record<string, string>] {
  if (giving_page) return ['try_again_text', {}];
  return website ? ['try_again_website', { website }] : ['try_again_org', { org: name }];
}

/** Tax lines of a receipt: the organization's note, legal name and tax ID. */
function taxLines(
  organization: DonorMailContext['organization'],
  { translate, isolate }: EmailTranslator,
): string[] {
  const { name, legal_name, tax_id, receipt_note } = organization;
  const legalName = isolate(legal_name ?? name);
  const taxLine = [legalName, tax_id && `${translate('tax_id')} ${isolate(tax_id)}`].filter(
    Boolean,
  );
  return [...(receipt_note ? [receipt_note] : []), ...(tax_id ? [taxLine.join(' · ')] : [])];
}
