import {
  EVENT_TYPES,
  type List,
  type ProcessingPayment,
  type WebhookDelivery,
} from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import type { Page } from 'playwright/test';
import { DEDICATED_VIEWER_SECRET } from '../../support/dedicated-server.ts';
import { createWebhookEndpoint, donationsOf } from '../../support/donations.ts';
import { signViewerToken } from '../../support/signed-token.ts';
import { hasValidSignature, openWebhookReceiver } from '../../support/webhook-receiver.ts';
import { callApi } from '../tables/call-api.ts';
import type { Dashboard } from './dashboard-pages.ts';
import type { DedicatedOrganization } from './dedicated-organization.ts';
import { readEnvironment } from './environment.ts';
import { expect } from './fixtures.ts';
import { mailboxAddress } from './mailbox.ts';

/**
 * Where the payment of one donor is seen besides the form: table, goal, dashboard, mailbox and webhook. The
 * organization has no other payments, so every view is compared as a whole.
 */
export type PaymentViews = Awaited<ReturnType<typeof openViews>>;

/** The payment that a journey makes. */
interface ExpectedPayment {
  email: string;
  name: string;
  /** Subjects of all emails to the donor, newest first. */
  emails: readonly RegExp[];
}

export const AMOUNT_CENTS = 5000;

interface ViewOptions {
  /** The dashboard, in which the owner is signed in. */
  dashboard: Dashboard;
  currency: string;
  /** Id of the campaign whose goal is shown. */
  campaignId: string;
  /** Origin of host pages. */
  pages: string;
}

/** Opens tabs for the views, and subscribes to the organization's events. */
export async function openViews(
  organization: DedicatedOrganization,
  { dashboard, currency, campaignId, pages }: ViewOptions,
) {
  const { system, server } = organization;
  const receiver = await openWebhookReceiver(readEnvironment().ports.debits);
  const endpoint = await createWebhookEndpoint(system, receiver.url, EVENT_TYPES);
  const token = signViewerToken(DEDICATED_VIEWER_SECRET);
  const code = `<script type="module" src="${server.url}/connect.js"></script>
    <connect-goal campaign="${campaignId}"></connect-goal>
    <connect-provider server="${server.url}" viewer-token="${token}">
      <connect-donations></connect-donations>
    </connect-provider>`;
  const context = dashboard.page.context();
  const website = await context.newPage();
  // A route turns the browser's cache off, which would keep the sum of the goal for 20 seconds.
  await website.route('**/progress', (route) => route.continue());
  return {
    organization,
    dashboard,
    receiver,
    endpoint,
    website,
    websiteUrl: `${pages}/pasted?${new URLSearchParams({ code }).toString()}`,
    mailbox: await context.newPage(),
    format: (cents: number, options = {}) => formatMoney(cents, currency, 'en-US', options),
  };
}

/** Expects that the payment is announced in every view, and counted in none. */
export async function expectOnItsWay(views: PaymentViews, payment: ExpectedPayment) {
  const { organization, dashboard, format } = views;
  await expect
    .poll(() => processingOf(views, payment))
    .toMatchObject([{ amount_cents: AMOUNT_CENTS }]);
  expect(await donationsOf(organization.system, payment.email)).toEqual([]);
  const line = `1 donation is on its way (${format(AMOUNT_CENTS)})`;
  await expectWebsite(views, { rows: [], onItsWay: [line], raisedCents: 0 });
  await dashboard.open('/donations');
  const onTheirWay = dashboard.page.getByRole('region', { name: 'On their way' });
  await expect(onTheirWay.getByRole('row', { name: payment.name })).toContainText(
    format(AMOUNT_CENTS),
  );
  await expect(donationRows(dashboard.page, payment)).toHaveCount(1);
  await expectEmails(views, payment);
  expect(await sentEvents(views)).toEqual([]);
}

/** Expects that the donation is recorded once, and counted in every view. */
export async function expectDonation(
  views: PaymentViews,
  payment: ExpectedPayment & { method: string },
) {
  const { organization, dashboard, endpoint, receiver, format } = views;
  const { system } = organization;
  const expected = { amount_cents: AMOUNT_CENTS, payment_method: payment.method };
  await expect.poll(() => donationsOf(system, payment.email)).toMatchObject([expected]);
  const [donation] = await donationsOf(system, payment.email);
  expect(await processingOf(views, payment)).toEqual([]);
  await expect.poll(() => sentEvents(views)).toEqual(['donation.created']);
  await expect.poll(() => receiver.requests).toHaveLength(1);
  const [webhook] = receiver.requests;
  expect(hasValidSignature(webhook!, endpoint.secret)).toBe(true);
  expect(JSON.parse(webhook!.body)).toMatchObject({ related_object: { id: donation!.id } });
  await expectEmails(views, payment);
  await dashboard.open('/donations');
  await expect(donationRows(dashboard.page, payment)).toHaveCount(1);
  await expect(donationRows(dashboard.page, payment)).toContainText(format(AMOUNT_CENTS));
  await expect(dashboard.page.getByRole('region', { name: 'On their way' })).toHaveCount(0);
  await expectWebsite(views, { rows: [payment.name], onItsWay: [], raisedCents: AMOUNT_CENTS });
}

/** Expects that no view has a donation, or one on its way. */
export async function expectNoDonation(views: PaymentViews, payment: ExpectedPayment) {
  const { organization, dashboard } = views;
  await expectEmails(views, payment);
  expect(await donationsOf(organization.system, payment.email)).toEqual([]);
  expect(await processingOf(views, payment)).toEqual([]);
  await expectWebsite(views, { rows: [], onItsWay: [], raisedCents: 0 });
  await dashboard.open('/donations');
  await expect(donationRows(dashboard.page, payment)).toHaveCount(0);
  expect(await sentEvents(views)).toEqual([]);
}

const processingOf = async ({ organization }: PaymentViews, { email }: ExpectedPayment) =>
  (
    await callApi<List<ProcessingPayment>>(
      organization.system,
      '/payment-intents?status=processing',
    )
  ).data.filter(({ donor_email }) => donor_email === email);

/** Types of the events that were sent or will be sent. */
async function sentEvents({ organization, endpoint }: PaymentViews) {
  const path = `/webhooks/${endpoint.id}/deliveries`;
  const { data } = await callApi<List<WebhookDelivery>>(organization.system, path);
  return data.map(({ event_type }) => event_type);
}

const donationRows = (page: Page, { name }: ExpectedPayment) => page.getByRole('row', { name });

interface ExpectedWebsite {
  /** Names in the rows of the table. */
  rows: readonly string[];
  /** The line about payments that are on their way. */
  onItsWay: readonly string[];
  raisedCents: number;
}

/** Expects what the table and the goal show on the organization's website, whose server caches the goal for 20 seconds. */
async function expectWebsite(
  { website, websiteUrl, format }: PaymentViews,
  { rows, onItsWay, raisedCents }: ExpectedWebsite,
) {
  const table = website.locator('connect-donations');
  const goal = website.locator('connect-goal [part=amount]');
  await expect(async () => {
    // The table asks for its sums, which name what is on its way, after it has loaded its rows.
    const sums = website.waitForResponse((response) => response.url().includes('/summary?'));
    await website.goto(websiteUrl);
    await sums;
    await expect(goal).toHaveText(format(raisedCents, { trim: true }), { timeout: 2000 });
  }).toPass({ intervals: [500, 4000] });
  await expect(table.locator('tr[data-id]')).toHaveText(rows.map((name) => new RegExp(name)));
  await expect(table.locator('.on-its-way summary')).toHaveText(onItsWay);
}

/** Expects the subjects of all emails to the donor. */
async function expectEmails(
  { mailbox, organization }: PaymentViews,
  { email, emails }: ExpectedPayment,
) {
  const subjects = mailbox.getByRole('row').filter({ hasText: email }).getByRole('rowheader');
  await expect(async () => {
    await mailbox.goto(mailboxAddress(organization.system));
    await expect(subjects).toHaveText([...emails], { timeout: 1000 });
  }).toPass();
}
