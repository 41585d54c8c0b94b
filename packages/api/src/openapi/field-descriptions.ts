import { DONATION_FIELDS } from './donation-fields.ts';

type Descriptions = Readonly<Record<string, string>>;

const AMOUNT = 'In minor units of the currency.';
const FUND = 'Id of the fund; null for none.';
const CAMPAIGN = 'Id of the campaign; null for none.';

/** Fields that mean the same in every schema. */
export const COMMON_FIELDS: Descriptions = {
  id: 'Unique id.',
  object: 'The kind of resource.',
  amount_cents: AMOUNT,
  currency: 'ISO 4217 code in lower case.',
  created_at: 'Time of creation.',
  organization_id: 'Id of the organization.',
  fund_id: FUND,
  campaign_id: CAMPAIGN,
  donor_name: 'Name of the donor.',
  donor_email: 'Email address of the donor.',
  description: 'Description for people.',
  slug: 'Name in URLs.',
  name: 'Name for people.',
  goal_cents: 'Goal, in minor units; null for none.',
  reference:
    'Short code by which people identify the donation; it is on the thank-you page and the receipt.',
  data: 'The resources of this page.',
  has_more: 'True if there is another page.',
  next_cursor: 'Pass it as `cursor` to get the next page; null on the last page.',
  expires_at: 'End of the session, one hour after its creation.',
  capacity: 'Number of seats; null if it is unlimited.',
  source: 'Where it comes from: `embed` (a donation form), `api` or `import`.',
  count: 'How many match the filters.',
  publishable_key: 'Publishable key of the payment processor, for its browser script.',
  stripe_account_id:
    'The organization’s account at the payment processor, for its browser script. Null if the publishable key belongs to that account.',
  payment_intent_id: 'Id at the payment processor.',
};

const TERMS: Descriptions = {
  fund_id:
    'The fund of every donation. Without it, donors choose from `fund_choices`, if there are any.',
  campaign_id: 'The campaign of every donation.',
  preset_amounts_cents: 'The amounts that the form offers, in this order, in minor units.',
  default_amount_cents: 'The amount that is selected at first.',
  amount_locked: 'If true, only the preset amounts are accepted.',
  min_amount_cents: 'The smallest amount that is accepted.',
  max_amount_cents: 'The largest amount that is accepted.',
  frequencies: 'The frequencies that the form offers, in this order.',
  default_frequency: 'The frequency that is selected at first.',
  preset_amounts_by_frequency:
    'Preset amounts of a frequency; they replace `preset_amounts_cents`.',
  fee_cover:
    'Whether donors can cover the processing fee; with `preselected` the box is checked at first.',
  fee_cover_basis_points: 'Variable part of the fee, in hundredths of a percent.',
  fee_cover_fixed_cents: 'Fixed part of the fee, in minor units.',
  fund_choices: 'The funds that donors choose from.',
  fund_choice_ids: 'Ids of the funds that donors choose from.',
  allow_dedication: 'Whether donors can dedicate the donation to somebody.',
  allow_anonymous: 'Whether donors can stay anonymous.',
  allow_comment: 'Whether donors can write a comment.',
  prefill_from_url: 'Fields that the query of the page’s URL may fill in.',
  success_url: 'Where donors are sent afterwards; null shows the thank-you page.',
  card_loading: 'When the payment processor’s script is loaded.',
};

/** Descriptions of the fields of each schema, in addition to `COMMON_FIELDS`. */
export const FIELDS: Readonly<Record<string, Descriptions>> = {
  Donation: DONATION_FIELDS,
  DonationSummary: { data: 'One row for each currency.' },
  DonationSeries: {
    interval: 'Length of the intervals.',
    time_zone: 'IANA time zone in which the intervals begin.',
    data: 'The intervals, oldest first.',
  },
  RecurringPlan: {
    amount_cents: 'Amount of each payment, in minor units.',
    frequency: 'How often the donor pays.',
    status:
      '`past_due`: the last payment failed and is tried again. `incomplete`: the first payment is not complete.',
    next_payment_at: 'Time of the next payment; null if none is scheduled.',
    canceled_at: 'Time of cancellation.',
  },
  Donor: {
    email: 'Email address.',
    first_name: 'First name.',
    last_name: 'Last name.',
    phone: 'Phone number.',
    city: 'City of the address.',
    state: 'State or region of the address.',
    postal_code: 'Postal code of the address.',
    country: 'ISO 3166 code of the country.',
    updated_at: 'Time of the last change.',
  },
  Payout: {
    amount_cents: 'Amount in minor units; negative if it was taken from the bank account.',
    status: 'As at Stripe.',
    arrival_date: 'The day of arrival as midnight UTC: format it in UTC.',
    created: 'Time of creation.',
    statement_descriptor: 'Text on the bank statement.',
  },
  PayoutSummary: {
    data: 'One row for each currency. `count` and `amount_cents` leave out payouts that failed or were canceled, because a later payout pays their money, unless the query asks for their status.',
  },
  PayoutDonation: {
    payout_id: 'Id of the payout.',
    donation_id: 'Id of the donation; null if the entry belongs to no donation.',
    type: 'The donation itself, or its refund or dispute. `payment`: a payment that is not a donation, for an event or made outside Connect. `other`: the rest of the payout, such as fees of the processor.',
    amount_cents: 'In minor units; negative for refunds and disputes.',
    fee_cents: 'Processing fee in minor units.',
    net_amount_cents: 'What it contributes to the payout.',
  },
  Event: {
    title: 'Title for people.',
    location: 'Address of the place.',
    event_format: 'Where the event takes place.',
    online_meeting_url: 'URL of the online meeting.',
    timezone: 'IANA time zone of the event.',
    pricing_mode: 'How registrations are priced.',
    starts_at: 'Time when the event starts.',
    ends_at: 'Time when the event ends.',
    published_at: 'Time of publication; null for a draft.',
    registration_opens_at: 'Time from which people can register.',
    registration_closes_at: 'Time until which people can register.',
    price_cents: 'Price of `fixed` events, in minor units.',
    pwyw_min_cents: 'Smallest price of `pay_what_you_want` events, in minor units.',
    pwyw_suggested_cents: 'Suggested price of `pay_what_you_want` events, in minor units.',
    allow_waitlist: 'Whether there is a waitlist once all seats are taken.',
    requires_approval: 'Whether the organization approves each registration.',
    published: 'False for a draft.',
    ticket_types: 'Ticket types of `ticketed` events.',
  },
  EventTicketType: {
    price_cents: 'Price in minor units.',
    sort_order: 'Position in the list.',
    is_active: 'Whether it is on sale.',
  },
  Registration: {
    event_id: 'Id of the event.',
    ticket_type_id: 'Id of the ticket type; null for none.',
    attendee_name: 'Name of the person who registered.',
    attendee_email: 'Email address of the person who registered.',
    attendee_phone: 'Phone number of the person who registered.',
    status: 'State of the registration.',
    quantity: 'Number of seats.',
    attendee_names: 'Names of all attendees.',
    amount_paid_cents: 'Paid amount in minor units.',
    refunded_cents: 'Refunded amount in minor units.',
    refunded_at: 'Time of the refund.',
    checked_in_at: 'Time of the check-in.',
    source: 'Where it comes from: `embed`, `import` or `dashboard`.',
  },
  Campaign: {
    is_active: 'Whether the campaign accepts donations.',
    start_date: 'First day; null for none.',
    end_date: 'Last day; null for none.',
  },
  CampaignProgress: {
    campaign_id: 'Id of the campaign.',
    currency: 'The organization’s currency; donations in other currencies are not counted.',
    raised_cents:
      'Donations minus refunds and lost disputes, in minor units; fees are not deducted.',
  },
  AllowedSite: {
    origin: 'Origin as browsers send it; `https://*.example.org` allows every subdomain.',
  },
  CreateAllowedSiteRequest: { origin: 'Origin of the website as browsers send it.' },
  AllowedSiteRequest: {
    origin: 'Origin of the website.',
    status: '`allowed`: the website is an allowed site. `pending`: nobody has allowed it yet.',
  },
  Form: {
    slug: 'Name by which a page selects the form.',
    status: '`draft`: never published. `live`: accepts donations. `closed`: accepts none.',
    version: 'Number of the published version; null for a draft.',
    published_at: 'When the published version was published; null for a draft.',
    page: 'The form’s own page on the server, as published.',
    campaign_id: 'Campaign of the published version; null without one.',
  },
  FormPage: {
    title: 'Heading; null for the usual one.',
    description: 'Text below the heading; null for none.',
    is_indexable: 'Whether search engines may show the page.',
    is_listed: 'Whether pages of closed forms refer to this form.',
  },
  Fund: { type: 'Restriction of the fund.', published: 'Whether donors can see it.' },
  Organization: {
    legal_name: 'Name in law.',
    contact_email: 'Public email address.',
    website: 'URL of the website.',
    tax_id: 'Tax id.',
    logo_url: 'URL of the logo, a public PNG, JPEG or WebP image.',
  },
  PaymentIntent: { client_secret: 'Secret with which the donor’s browser confirms the payment.' },
  PaymentIntentStatus: {
    status: '`succeeded` once the payment processor has reported the payment.',
    donation_id: 'Id of the donation; null until it is recorded.',
  },
  CreatePaymentIntent: {
    amount_cents: 'Amount in minor units. The payment processor may require more than the minimum.',
    fund_id: 'Id of the fund.',
    frequency: 'How often the donor is charged, the first time immediately; `one_time` by default.',
    fee_cover_cents: 'The part of `amount_cents` that covers the processing fee.',
    metadata: 'Up to 20 values of your own, stored at the payment processor.',
    embed_session_id:
      'Id of the form’s session, whose terms apply. Omit it with the session’s own token.',
  },
  DonationTerms: TERMS,
  CreateEmbedSession: {
    form: 'Slug of a published form, which fixes the terms. Cannot be combined with fields of the terms.',
    ...TERMS,
    form_version: 'A version of the form; by default the one that is live.',
    prefill: 'The donor’s data, if you know it.',
    origins: 'Origins of the sites that show the form. No other site may frame its page.',
  },
  EmbedSession: {
    session_token: 'Bearer token for the donor’s browser.',
    form: 'The data of the form, as from `GET /embed-sessions/current`.',
    embed_url: 'URL of a page with the form, for a link or a frame.',
  },
  EmbedForm: {
    organization:
      'The organization that receives the donation, with the IANA name of its time zone.',
    terms: 'Which donations the form accepts.',
    fund_name: 'Name of the fund that the terms fix.',
    campaign_name: 'Name of the campaign that the terms fix.',
    prefill: 'The donor’s data, as the session was created with.',
    stripe_js_url: 'URL of the payment processor’s browser script.',
    livemode: 'False in test mode, where no money moves.',
    receipts: 'Whether a receipt is sent by email.',
    form_id: 'Id of the published form; null if the caller set the terms.',
    form_version: 'Version of the published form; null if the caller set the terms.',
    presentation: 'How the form looks and what it says, if its owner has set it in the dashboard.',
  },
  FormPresentation: {
    properties: 'Properties of the element that the page has not set, such as `display`.',
    messages: 'Messages of the form by key, in every language.',
    style: 'CSS declarations of the element.',
    impact_texts: 'What each amount achieves, by amount in the smallest unit of the currency.',
    impact_texts_by_frequency: 'The same for the amounts of a frequency.',
  },
  CreateComponentSession: {
    components: 'The tables that the session reads.',
    masks:
      'Personal data that the session hides: `names` shortens names to initials, the others return null.',
  },
  ComponentSession: {
    token: 'Bearer token for the browser; it can only read.',
    organization_name: 'Name of the organization.',
    components: 'The tables that the session reads.',
    masks: 'The personal data that the session hides; absent if it hides none.',
  },
  WebhookEndpoint: {
    url: 'Where events are sent.',
    events: 'The event types that are sent.',
    secret: 'Secret that signs the events. It is returned only when it is created or rotated.',
  },
  WebhookDelivery: {
    event_type: 'Type of the event.',
    event_id: 'Id of the event, the `webhook-id` of the request.',
    status: '`pending`: will be sent, or sent again. `failed`: there are no further attempts.',
    attempts: 'Number of attempts so far.',
    last_response_status: 'HTTP status of the last response; null without one.',
    last_error: 'Why the last attempt failed.',
    next_attempt_at: 'Time of the next attempt.',
    delivered_at: 'Time of the successful attempt.',
  },
  WebhookEvent: {
    type: 'What happened.',
    livemode: 'False in test mode.',
    related_object: 'The resource that changed; read it at `url`.',
  },
  DeletedWebhookEndpoint: { deleted: 'Always true.' },
  WebhookEndpoints: { data: 'All endpoints of the credential, newest first.' },
  Error: { error: 'What went wrong.' },
};
