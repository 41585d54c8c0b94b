import { donationsOf, intentsOf, createWebhookEndpoint } from '../support/donations.ts';
import { ACCOUNT } from '../support/processor.ts';
import { hasValidSignature, openWebhookReceiver } from '../support/webhook-receiver.ts';
import { readEnvironment } from './support/environment.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** The path of a donation, step by step as in the table of CONTRIBUTING.md. */
test('a donation passes through all packages of its path', async ({
  donate,
  platform,
  system,
  monitor,
}) => {
  const email = newEmail();
  const receiver = await openWebhookReceiver(readEnvironment().ports.receiver);
  const subscription = await createWebhookEndpoint(system, receiver.url);
  await platform.open();
  await expect(platform.donations.getByRole('cell', { name: /\S/ }).first()).toBeVisible();
  await donate.open();
  await donate.fill({ email, amount: '$50', name: 'Grace Hopper' });

  await test.step('1. elements: one submit creates one payment intent', async () => {
    await donate.submitButton.click();
    await donate.expectThanks();
    const [request, ...more] = await donate.intentRequests();
    expect(more).toEqual([]);
    expect(await request!.headerValue('idempotency-key')).toMatch(/^[\w-]{16,}$/);
    expect(request!.postDataJSON()).toEqual({
      amount_cents: 5000,
      donor_email: email,
      donor_name: 'Grace Hopper',
      frequency: 'one_time',
    });
  });

  await test.step('2. server: the page has a session token, never the credential', async () => {
    const requestHeaders = await Promise.all(
      monitor.requests.map((request) => request.allHeaders()),
    );
    const sent =
      JSON.stringify(requestHeaders) + monitor.requests.map((request) => request.postData()).join();
    expect(sent).not.toContain('gb_live_');
    expect(sent).not.toContain('sk_test_');
  });

  await test.step('3. api and 4. processor: one intent, on the organization’s account', async () => {
    const [intent, ...more] = await intentsOf(system, email);
    expect(more).toEqual([]);
    expect(intent).toMatchObject({ amount: 5000, currency: 'usd', status: 'succeeded' });
    expect(intent!.metadata).toMatchObject({ organization_id: system.organization_id });
    const confirmation = monitor.requests.find(
      (request) => request.method() === 'POST' && request.url().includes(`/${intent!.id}/confirm`),
    );
    expect(new URL(confirmation!.url()).origin).toBe(system.sandbox);
    expect(await confirmation!.headerValue('stripe-account')).toBe(ACCOUNT);
  });

  await test.step('5. api: recorded once, when the processor reports the payment', async () => {
    await expect.poll(() => donationsOf(system, email)).toHaveLength(1);
    const [donation] = await donationsOf(system, email);
    const shown = donate.form.getByText(/^[3-9A-Z]{4}-[3-9A-Z]{4}$/);
    await expect(shown).toHaveText(donation!.reference);
    expect(donation).toMatchObject({
      object: 'donation',
      amount_cents: 5000,
      currency: 'usd',
      recurring: false,
      refund_status: 'none',
      refunded_amount_cents: 0,
      dispute_status: 'none',
      donor_name: 'Grace Hopper',
      donor_email: email,
      source: 'embed',
    });
    expect(donation!.net_amount_cents).toBeLessThan(5000);
    expect(donation!.net_amount_cents).toBeGreaterThan(4000);
    expect(Date.now() - Date.parse(donation!.created_at)).toBeLessThan(60_000);
  });

  await test.step('6. api: a signed donation.created is delivered', async () => {
    const [donation] = await donationsOf(system, email);
    const webhooksOfDonation = () =>
      receiver.requests.filter(({ body }) => body.includes(donation!.id));
    await expect.poll(webhooksOfDonation).toHaveLength(1);
    const [webhook] = webhooksOfDonation();
    expect(hasValidSignature(webhook!, subscription.secret)).toBe(true);
    expect(webhook!.body).not.toContain(email);
    expect(JSON.parse(webhook!.body)).toMatchObject({
      object: 'event',
      type: 'donation.created',
      organization_id: system.organization_id,
      related_object: { id: donation!.id, object: 'donation' },
    });
    await receiver.close();
    await subscription.remove();
  });

  await test.step('and the platform’s table shows it without a reload', async () => {
    const row = platform.donations.getByRole('row').filter({ hasText: 'Grace Hopper' }).first();
    await expect(row).toBeVisible();
    await expect(row).toContainText('$50');
  });
});
