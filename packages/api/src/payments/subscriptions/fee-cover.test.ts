import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { subscriptionHelpers } from '../../../test-support/donations/subscriptions.ts';
import { createScriptsFolder } from '../../../test-support/processes/scripts-folder.ts';
import { startApi } from '../../../test-support/app/start-api.ts';
import { readDocument, textOf } from '../../../test-support/browser/read-document.ts';
import { feeCoverFromMetadata, splitAmount, decodeFeeCover, addFeeCover } from './fee-cover.ts';
import { createManageLinks } from '../../mail/manage-link.ts';

const api = await startApi({ sandbox: true, env: { SCRIPTS_DIR: await createScriptsFolder() } });
const { app, db } = api;
const { createActive, submit, rowOf, openPage, stripe, ON_ACCOUNT } = subscriptionHelpers(api);
const manageLinks = createManageLinks({ secret: 'a secret of thirty-two characters', baseUrl: '' });

describe('the fee cover of a subscription', () => {
  test('is split from a total exactly as it was added', () => {
    for (const [currency, step] of [
      ['usd', 1],
      ['jpy', 1],
      ['isk', 100],
    ] as const) {
      for (const text of ['290+30', '140+25', '0+0', '0+30', '999+500']) {
        const rate = decodeFeeCover(text)!;
        for (let amountCents = 500; amountCents < 60_000; amountCents += 700) {
          const { donationCents, coverCents } = addFeeCover(
            amountCents - (amountCents % step),
            rate,
            currency,
          );
          const parts = splitAmount(donationCents + coverCents, rate, currency);
          const total = parts.donationCents + parts.coverCents;
          assert.equal(total, donationCents + coverCents);
          assert.deepEqual(
            parts,
            { donationCents, coverCents },
            `${amountCents} ${currency} ${text}`,
          );
        }
      }
    }
  });

  test('is known for subscriptions that were created before the fee rate was saved', () => {
    assert.equal(feeCoverFromMetadata({ fee_cover: '140+25', fee_cover_cents: '60' }), '140+25');
    assert.equal(feeCoverFromMetadata({ fee_cover_cents: '106' }), '290+30');
    assert.equal(feeCoverFromMetadata({}), null);
    assert.equal(decodeFeeCover('a lot'), undefined);
  });

  test('still covers the fee when the amount changes, and is shown', async () => {
    const { token } = await api.createKey();
    const session = await api.post('/embed-sessions', token, {
      frequencies: ['monthly'],
      fee_cover: 'offered',
      fee_cover_basis_points: 500,
      fee_cover_fixed_cents: 10,
    });
    const { session_token } = (await session.json()) as { session_token: string };
    // $20 and its fee: (2000 × 5 % + 10) / 95 % = 115.8, rounded up.
    const subscription = await createActive(
      { amount_cents: 2116, fee_cover_cents: 116 },
      undefined,
      session_token,
    );
    const path = manageLinks.url(subscription);
    const text = await openPage(path);
    assert.match(text, /Includes the processing fee: \$20\.00 \+ \$1\.16\./);
    assert.ok(readDocument(text).querySelector('input[value="$20.00"]'));
    assert.match(text, /We add it to the new amount/);

    assert.equal(
      (await submit(`${path}/amount`, { amount: '$20' })).headers.get('location'),
      `${api.url}${path}`,
    );
    assert.equal((await submit(`${path}/amount`, { amount: '$40' })).status, 303);
    // (4000 × 5 % + 10) / 95 % = 221.1, rounded up.
    assert.equal((await rowOf(subscription.email))?.amount_cents, 4222);
    assert.match(await openPage(path), /Includes the processing fee: \$40\.00 \+ \$2\.22\./);
    const { items, metadata } = await stripe.subscriptions.retrieve(
      subscription.processor_subscription_id,
      {},
      ON_ACCOUNT,
    );
    assert.equal(items.data[0]?.price.unit_amount, 4222);
    assert.equal(metadata['fee_cover_cents'], '222');
  });

  for (const [description, trigger] of [
    ['the page is opened', true],
    ['only the amount is changed', false],
  ] as const) {
    test(`is still covered if it was never saved, and ${description}`, async () => {
      const subscription = await createActive({ amount_cents: 2116, fee_cover_cents: 116 });
      const path = manageLinks.url(subscription);
      const forget = () =>
        db
          .updateTable('recurring_plan')
          .set({ fee_cover: null })
          .where('id', '=', subscription.id)
          .execute();
      await forget();
      if (trigger) {
        const text = await openPage(path);
        assert.match(text, /Includes the processing fee: \$20\.\d\d \+ \$\d\.\d\d\./);
        assert.match(text, /We add it to the new amount/);
      }
      await submit(`${path}/amount`, { amount: '$40' });
      // (4000 × 2.9 % + 30) / 97.1 % = 150.4, rounded up: the most common fee rate.
      assert.equal((await rowOf(subscription.email))?.amount_cents, 4151);
    });
  }

  test('blocks changes of the amount while it cannot be loaded', async (t) => {
    const subscription = await createActive({ amount_cents: 2116, fee_cover_cents: 116 });
    const path = manageLinks.url(subscription);
    await db
      .updateTable('recurring_plan')
      .set({ fee_cover: null })
      .where('id', '=', subscription.id)
      .execute();
    t.mock.method(api.deps.processor, 'retrieveSubscription', () =>
      Promise.reject(new Error('The processor is away.')),
    );
    assert.match(await openPage(path), /\$21\.16/);
    const response = await submit(`${path}/amount`, { amount: '$40' });
    assert.equal(response.status, 503);
    const { processor_subscription_id: id } = subscription;
    const { items } = await stripe.subscriptions.retrieve(id, {}, ON_ACCOUNT);
    assert.equal(items.data[0]?.price.unit_amount, 2116);
  });

  test('ends with a new amount if the donor has changed to a bank debit', async () => {
    const subscription = await createActive({ amount_cents: 2116, fee_cover_cents: 116 });
    const path = manageLinks.url(subscription);
    await db
      .updateTable('recurring_plan')
      .set({ card_label: 'us_bank_account 6789' })
      .where('id', '=', subscription.id)
      .execute();
    const text = await openPage(path);
    assert.match(text, /Includes the processing fee/);
    assert.doesNotMatch(text, /We add it to the new amount/);
    assert.equal((await submit(`${path}/amount`, { amount: '$40' })).status, 303);
    assert.equal((await rowOf(subscription.email))?.amount_cents, 4000);
    assert.doesNotMatch(await openPage(path), /processing fee/);
  });

  test('is not added if the donor does not cover the fee', async () => {
    const subscription = await createActive();
    assert.equal((await rowOf(subscription.email))?.fee_cover, '');
    const path = manageLinks.url(subscription);
    assert.doesNotMatch(await openPage(path), /card fee/);
    await submit(`${path}/amount`, { amount: '$40' });
    assert.equal((await rowOf(subscription.email))?.amount_cents, 4000);
  });
});

describe('a donor whose subscription was canceled', () => {
  test('can donate again, on a form with the same terms', async () => {
    const subscription = await createActive({ fund_id: 'fund_meals' });
    const path = manageLinks.url(subscription);
    assert.doesNotMatch(await openPage(path), /Give again/);
    assert.equal((await app.request(`${path}/again`)).headers.get('location'), `${api.url}${path}`);
    await submit(`${path}/cancel`);
    assert.equal(textOf(readDocument(await openPage(path)), 'a[href$="/again"]'), 'Give again');

    const response = await app.request(`${path}/again`);
    assert.equal(response.status, 303);
    const address = response.headers.get('location')!;
    assert.match(address, /\/embed\/es_\w+$/);
    const page = await app.request(address.replace(api.url, ''));
    assert.equal(page.status, 200);
    assert.doesNotMatch(await page.text(), new RegExp(subscription.email));
    const { terms } = await db
      .selectFrom('embed_session')
      .select('terms')
      .where('id', '=', address.split('/').at(-1)!)
      .executeTakeFirstOrThrow();
    assert.deepEqual(terms.frequencies, ['one_time', 'monthly']);
    assert.deepEqual([terms.fund_id, terms.default_amount_cents], ['fund_meals', 2500]);
  });

  test('gets a form without a fund that has been archived', async () => {
    const subscription = await createActive({ fund_id: 'fund_meals' });
    const path = manageLinks.url(subscription);
    await submit(`${path}/cancel`);
    await db
      .updateTable('fund')
      .set({ archived_at: new Date(), published: false })
      .where('id', '=', 'fund_meals')
      .execute();
    const response = await app.request(`${path}/again`);
    const { terms } = await db
      .selectFrom('embed_session')
      .select('terms')
      .where('id', '=', response.headers.get('location')!.split('/').at(-1)!)
      .executeTakeFirstOrThrow();
    assert.equal(terms.fund_id, null);
  });
});
