import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ADMIN,
  OWNER,
  startOauth,
  VOLUNTEER,
} from '@connect-embed/api/test-support/app/start-oauth';
import { textsOf } from '@connect-embed/api/test-support/browser/read-document';
import { saveAccount } from '@connect-embed/api/payments/accounts';

const { api, visitor } = await startOauth({ sandbox: true });
const PATH = '/dashboard/org_harbor/payments';

/** Stores the state of the organization's account, as it is after a sync. */
async function enableAtStripe(...paymentMethodTypes: string[]) {
  const state = await api.deps.processor.retrieveAccount('acct_harbor_street');
  await saveAccount(api.db, 'org_harbor', { ...state, paymentMethodTypes }, Date.now());
}
const chosenMethods = async () => {
  const organization = await api.db
    .selectFrom('organization')
    .select('payment_method_types')
    .where('id', '=', 'org_harbor')
    .executeTakeFirstOrThrow();
  return organization.payment_method_types;
};

const inputOf = (document: Document, type: string) =>
  document.querySelector(`input[name="payment_method_types"][value="${type}"]`)!;
const choiceText = (document: Document, type: string) =>
  inputOf(document, type).closest('label')!.textContent.replace(/\s+/g, ' ').trim();

describe('payment methods of an organization', () => {
  test('are chosen by its owner', async () => {
    await enableAtStripe('card', 'us_bank_account');
    const owner = visitor();
    const page = await owner.openAs(OWNER, PATH);
    assert.ok(!inputOf(page.document, 'us_bank_account').hasAttribute('checked'));
    const fields = { payment_method_types: 'us_bank_account' };
    const saved = await owner.send(page, `${PATH}/methods`, fields);
    assert.match(saved.text, /Payment methods saved/);
    assert.ok(inputOf(saved.document, 'us_bank_account').hasAttribute('checked'));
    assert.deepEqual(await chosenMethods(), ['card', 'us_bank_account']);
    await owner.post(`${PATH}/methods`, { payment_method_types: 'cheque' });
    assert.deepEqual(await chosenMethods(), ['card']);
  });

  test('say when the money arrives, what Stripe has not enabled, and what the currency excludes', async () => {
    await enableAtStripe('card', 'us_bank_account');
    const { document } = await visitor().openAs(OWNER, PATH);
    assert.equal(
      choiceText(document, 'us_bank_account'),
      'US bank account The money arrives after about 4 business days.',
    );
    assert.equal(
      choiceText(document, 'paypal'),
      'PayPal For one-time donations. Not on at Stripe, so donors are not offered it.',
    );
    assert.equal(choiceText(document, 'sepa_debit'), 'SEPA direct debit Not possible in USD.');
    assert.ok(inputOf(document, 'sepa_debit').hasAttribute('disabled'));
  });

  test('cannot be changed by an admin', async () => {
    const admin = visitor();
    const page = await admin.openAs(ADMIN, PATH);
    assert.match(page.text, /Only an owner can change them/);
    const rejected = await admin.post(`${PATH}/methods`, { payment_method_types: 'paypal' });
    assert.equal(rejected.status, 403);
    assert.deepEqual(await chosenMethods(), ['card']);
  });

  test('cannot be seen by a volunteer', async () => {
    const volunteer = visitor();
    assert.equal((await volunteer.openAs(VOLUNTEER, PATH)).status, 403);
  });
});

test("after Stripe's onboarding, an account that cannot accept payments yet is no success", async () => {
  const owner = visitor();
  await owner.openAs(OWNER, PATH);
  const messages = async (kind: string) =>
    textsOf((await owner.open(`${PATH}/back`)).document, `.notice.${kind}[role="status"]`);
  assert.deepEqual(await messages('success'), ['Your account can accept payments.']);
  await api.db
    .updateTable('organization')
    .set({ processor_account_id: null })
    .where('id', '=', 'org_harbor')
    .execute();
  assert.deepEqual(await messages('note'), ['Stripe may still be verifying your information.']);
});
