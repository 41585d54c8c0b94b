import { formatDate, formatMoney } from '@connect-embed/contract';
import { speak, type Speech, type Words } from '../donor-words/language.ts';
import type { ManageLinks } from '../recurring/manage-link.ts';
import { textOf, type Content } from './content.ts';
import { htmlOf } from './layout.ts';
import { alarmContent } from './owner-letters.ts';
import type { Told as Any } from './subject-of-mail.ts';
import type { DonorMailKind } from './tables.ts';
import type { Letter } from './transport.ts';

export interface LetterOptions {
  /** Address that mail comes from; the name beside it is the organization's. */
  from: string;
  links: ManageLinks;
}

type Told = Any & { kind: DonorMailKind };

/** Writes a mail. Undefined where there is nobody to write to. */
export async function compose(told: Any, options: LetterOptions): Promise<Letter | undefined> {
  const { donor, organization, kind } = told;
  if (!donor.email) return undefined;
  const speech = speak(donor.locale);
  const content =
    kind === 'card_testing'
      ? alarmContent(told)
      : contentOf({ ...told, kind }, speech, options.links);
  const name = oneLine(organization.name);
  return {
    id: told.id,
    from: { name, address: options.from },
    to: { name: oneLine(donor.name ?? ''), address: donor.email },
    replyTo: organization.contact_email ?? undefined,
    subject: oneLine(content.subject),
    text: textOf(content, organization.name),
    html: String(await htmlOf(content, organization.name, speech)),
    language: speech.language,
    messageId: `<${told.id}@${options.from.split('@').at(-1)}>`,
  };
}

/** A header is one line, whatever somebody called their organization. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim();

function contentOf(told: Told, speech: Speech, links: ManageLinks): Content {
  const { kind, donor, organization } = told;
  const parts = partsOf(told, speech);
  const say = (key: keyof Words) => speech.say(key, parts);
  const isReceipt = kind === 'receipt';
  const action = actionOf(told, speech, links);
  return {
    subject: say(`${kind}_subject`),
    paragraphs: [
      donor.name ? speech.say('hello_name', { name: donor.name }) : say('hello'),
      say(`${kind}_text`),
      ...(isReceipt ? [say('receipt_keep')] : []),
    ],
    rows: kind === 'plan_link' ? [] : rowsOf(told, speech),
    ...(action && { action }),
    foot: [
      ...(isReceipt ? taxLines(organization, speech) : []),
      ...(BY_THE_DONOR.has(kind) ? [say('not_you')] : []),
      say('sent_by'),
    ],
  };
}

/** Changes that a donor makes; one that nobody meant should be noticed. */
const BY_THE_DONOR = new Set<Told['kind']>([
  'plan_amount',
  'plan_card',
  'plan_paused',
  'plan_resumed',
  'plan_canceled',
]);

/** What the sentences of a mail are filled in with. */
function partsOf({ kind, details, organization, donation, plan }: Told, { locale }: Speech) {
  const currency = donation?.currency ?? plan?.currency ?? 'usd';
  const money = (cents: number | undefined) => formatMoney(cents ?? 0, currency, locale);
  const amounts: Partial<Record<Told['kind'], number | undefined>> = {
    refund: details.refunded_cents,
    plan_amount: details.after_cents,
  };
  return {
    org: organization.name,
    amount: money(amounts[kind] ?? donation?.amount_cents ?? plan?.amount_cents),
    before: money(details.before_cents),
  };
}

function rowsOf(told: Told, speech: Speech): Content['rows'] {
  const { kind, donation, plan, details, organization } = told;
  const { say, locale } = speech;
  const date = (at: Date) =>
    formatDate(at, 'long-date', { locale, timeZone: organization.time_zone });
  const rows: [keyof Words, string | null | undefined][] = [];
  const { refunded_cents } = details;
  if (kind === 'refund' && donation && refunded_cents !== undefined) {
    rows.push(['refunded', formatMoney(refunded_cents, donation.currency, locale)]);
  }
  const { amount_cents, currency } = donation ?? plan ?? {};
  if (amount_cents !== undefined && currency) {
    const cents = kind === 'plan_amount' ? (details.after_cents ?? amount_cents) : amount_cents;
    rows.push(['amount', formatMoney(cents, currency, locale)]);
  }
  rows.push(['date', donation && date(donation.paid_at)]);
  rows.push(['fund', told.fund_name], ['campaign', told.campaign_name]);
  if (plan) {
    rows.push(['repeats', say(plan.frequency)]);
    rows.push(['next_gift', plan.next_payment_at && date(plan.next_payment_at)]);
  }
  rows.push(['reference', told.reference]);
  return rows.flatMap(([key, value]) => (value ? [[say(key), value]] : []));
}

function actionOf({ plan, kind }: Told, { say }: Speech, links: ManageLinks): Content['action'] {
  if (!plan || kind === 'plan_canceled') return undefined;
  const text = say(kind === 'plan_failed' ? 'change_card' : 'manage');
  return { text, url: links.url(plan), note: say('manage_note') };
}

/** The organization's own sentence, and who it is before the law. */
function taxLines(organization: Told['organization'], { say, isolate }: Speech): string[] {
  const { name, legal_name, tax_id, receipt_note } = organization;
  const who = isolate(legal_name ?? name);
  const lawful = [who, tax_id && `${say('tax_id')} ${isolate(tax_id)}`].filter(Boolean);
  return [...(receipt_note ? [receipt_note] : []), ...(tax_id ? [lawful.join(' · ')] : [])];
}
