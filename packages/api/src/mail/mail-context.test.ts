import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ALL_SCOPES } from '@connect-embed/contract';
import { startApi } from '../../test-support/app/start-api.ts';
import { WEBSITE_FORM_ID } from '../db/seed/forms.ts';
import { saveLogo } from '../resources/organization-logo.ts';
import { loadMailContext } from './mail-context.ts';
import { enqueueEmail } from './queue.ts';

const { db, createKey } = await startApi();
const setClosed = (closed_at: Date | null) =>
  db.updateTable('form').set({ closed_at }).where('id', '=', WEBSITE_FORM_ID).execute();
const { token: serverApiKey } = await createKey();
const server = { serverBaseUrl: 'https://server.example', serverApiKey };
const payment = {
  id: 'pi_returned',
  organization_id: 'org_harbor',
  amount_cents: 5000,
  currency: 'usd',
  status: 'failed',
  payment_method: 'us_bank_account',
  failure_code: 'account_closed',
  fund_id: 'fund_meals',
  form_id: WEBSITE_FORM_ID,
  source: 'embed',
  source_id: 'es_1',
  reference: 'K7QM-4XTZ',
  donor_name: 'Ana Ruiz',
  donor_email: 'ana@example.org',
  locale: 'en-US',
} as const;

const load = async (settings = server) => {
  await enqueueEmail(db, {
    kind: 'donation_returned',
    organizationId: 'org_harbor',
    paymentIntentId: payment.id,
  });
  const { id } = await db.selectFrom('mail').select('id').executeTakeFirstOrThrow();
  return (await loadMailContext(db, id, settings))!;
};

beforeEach(async () => {
  await db.deleteFrom('payment_intent').execute();
  await db.insertInto('payment_intent').values(payment).execute();
  await setClosed(null);
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function publishForm(id: string, accent_color: string, published_at: Date) {
  const organization_id = 'org_harbor';
  const settings = JSON.stringify({ appearance: { accent_color } });
  await db
    .insertInto('form')
    .values({ id, organization_id, slug: id, name: id, draft: settings })
    .execute();
  await db
    .insertInto('form_version')
    .values({ organization_id, form_id: id, version: 1, settings, published_at })
    .execute();
  await db.updateTable('form').set({ live_version: 1 }).where('id', '=', id).execute();
}

describe('the email about a returned payment', () => {
  test('knows the giving page of the form, the reason and the donor', async () => {
    const context = await load();
    assert.deepEqual(context.giving_page, { server: 'https://server.example', form: 'website' });
    assert.equal(context.payment?.failure_code, 'account_closed');
    assert.equal(context.reference, payment.reference);
    assert.equal(context.fund_name, 'Weekend meals for children');
    const { donor_name: name, donor_email: email, locale } = payment;
    assert.deepEqual(context.donor, { name, email, locale });
  });

  test('has no link to a form that is closed or no longer exists', async () => {
    await setClosed(new Date());
    assert.equal((await load()).giving_page, undefined);
    await db.updateTable('payment_intent').set({ form_id: 'form_deleted' }).execute();
    assert.equal((await load()).giving_page, undefined);
  });

  test('knows the giving page of a form of the configuration file by its name', async () => {
    await db.updateTable('payment_intent').set({ form_id: null, form_name: 'meals' }).execute();
    assert.deepEqual((await load()).giving_page, {
      server: 'https://server.example',
      form: 'meals',
    });
    await db.updateTable('payment_intent').set({ form_name: null }).execute();
    assert.equal((await load()).giving_page, undefined);
  });

  test('has no link to the server of another organization', async () => {
    const { token } = await createKey(ALL_SCOPES, 'org_lantern');
    assert.equal((await load({ ...server, serverApiKey: token })).giving_page, undefined);
  });

  test('has the logo, and the color of its form or of the newest one', async () => {
    assert.deepEqual((await load()).appearance, { logo: undefined, accent: undefined });
    await publishForm('form_gala', '#7a1f5c', daysAgo(1));
    assert.equal((await load()).appearance?.accent, undefined);
    await db.updateTable('payment_intent').set({ form_id: 'form_gala' }).execute();
    assert.equal((await load()).appearance?.accent?.accent_color, '#7a1f5c');
    await publishForm('form_old', '#1f5c7a', daysAgo(9));
    await db.updateTable('payment_intent').set({ form_id: null }).execute();
    assert.equal((await load()).appearance?.accent?.accent_color, '#7a1f5c');
    const image = { media_type: 'image/png', width: 400, height: 200 } as const;
    await saveLogo(db, 'org_lantern', { ...image, content: Buffer.from('another') });
    assert.equal((await load()).appearance?.logo, undefined);
    await saveLogo(db, 'org_harbor', { ...image, content: Buffer.from('logo') });
    const { path, ...size } = (await load()).appearance!.logo!;
    assert.deepEqual(size, { width: 400, height: 200 });
    assert.match(path, /^\/logos\/org_harbor\/[\w-]{22}$/);
    const webp = { ...image, media_type: 'image/webp' } as const;
    await saveLogo(db, 'org_harbor', { ...webp, content: Buffer.from('a newer logo') });
    assert.equal((await load()).appearance?.logo, undefined);
  });
});
