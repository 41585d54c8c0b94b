import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ComponentSession, Donation, EmbedSession, Mask } from '@connect-embed/contract';
import { startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { withStoredDonor } from './stored-donor.ts';

const { get, post, token, payDonation, deliverEventsOf, donationOf } =
  await startManualEventsSandbox();

test('a donation has what the donor wrote, its form and its website, unless its reader has masks', async () => {
  const terms = { allow_dedication: true, allow_comment: true, form_name: 'meals' };
  const session = (await (await post('/embed-sessions', token, terms)).json()) as EmbedSession;
  const texts = { dedication: 'In memory of Grace', comment: 'Call me: +1 555 0100' };
  const page_origin = 'https://www.example.org';
  const intent = await payDonation({ embed_session_id: session.id, metadata: texts, page_origin });
  await deliverEventsOf(intent);
  const { id } = await donationOf(intent);
  const read = async (credential: string) =>
    (await (await get(`/donations/${id}`, credential)).json()) as Donation;
  const place = { form_id: null, form_name: 'meals', page_origin };
  assert.partialDeepStrictEqual(await read(token), { ...texts, ...place });
  const masks: Mask[] = ['addresses'];
  const opened = await post('/component-sessions', token, { components: ['donations'], masks });
  const masked = (await opened.json()) as ComponentSession;
  assert.partialDeepStrictEqual(await read(masked.token), {
    ...{ dedication: null, comment: null },
    ...place,
  });
});

describe('the donor in Stripe’s metadata', () => {
  const metadata = { donor_name: 'Ada', dedication: 'For Grace', comment: 'Hello', fund_id: 'f' };
  const erased = { donor_name: null, donor_email: null, locale: null };

  test('is replaced by the stored one', () => {
    const stored = { donor_name: 'Ada Lovelace', donor_email: 'ada@example.org', locale: null };
    assert.deepEqual(withStoredDonor(metadata, stored), {
      ...{ ...metadata, donor_name: 'Ada Lovelace' },
      donor_email: 'ada@example.org',
    });
  });

  test('does not come back after an erasure, and neither does what the donor wrote', () => {
    assert.deepEqual(withStoredDonor(metadata, erased), { fund_id: 'f' });
  });

  test('is not erased if the donor has never been named', () => {
    const { donor_name: _, ...anonymous } = metadata;
    assert.deepEqual(withStoredDonor(anonymous, erased), anonymous);
  });
});
