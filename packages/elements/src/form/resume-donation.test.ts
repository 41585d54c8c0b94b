import { expect } from '@open-wc/testing';
import '../define.ts';
import { LONG_WAIT_MS } from './tab-lock.ts';
import { Donor } from '../test-support/donor.ts';
import { releaseLocks } from '../test-support/release-locks.ts';
import { donationTerms, intent, jsonResponse, neverResolves } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { declined, paid, type StripeResult } from '../test-support/fake-stripe.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const { setTimeout } = window;
afterEach(() => (window.setTimeout = setTimeout));

/** Simulates that the time of some timers has passed. */
function passAtOnce(isPassed: (ms: number) => boolean) {
  window.setTimeout = ((callback: () => void, ms = 0) =>
    setTimeout(callback, isPassed(ms) ? 0 : ms)) as typeof window.setTimeout;
}

const stored = (area: Storage) => area.getItem('connect-embed');

/** Simulates that the page is closed, which also releases its lock. */
async function leave(donor: Donor) {
  donor.element.remove();
  await releaseLocks();
}

/** Simulates a reload: only the browser's storage remains. */
async function reload(donor: Donor): Promise<Donor> {
  await leave(donor);
  return Donor.render();
}

/**
 * Simulates another tab of the same browser, with the same `localStorage` and an empty
 * `sessionStorage`.
 */
async function openTab(): Promise<Donor> {
  const storedItem = stored(sessionStorage);
  sessionStorage.removeItem('connect-embed');
  const donor = await Donor.open();
  if (storedItem) sessionStorage.setItem('connect-embed', storedItem);
  return donor;
}

/** Opens two tabs with filled-in forms, and starts a payment in the first. */
async function submitInFirstOfTwoTabs() {
  let resolvePayment!: (paid: StripeResult) => void;
  stripe.confirm = () => new Promise((resolve) => (resolvePayment = resolve));
  const first = await Donor.open();
  await first.fill();
  const second = await openTab();
  second.type('name', 'Maya Lindqvist');
  second.type('email', 'maya@example.org');
  await second.waitFor('.payment-fields:not(.waiting)');
  first.submit();
  await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
  return { first, second, resolvePayment };
}

describe('a donor who returns', () => {
  it('has nothing stored in the browser before the first input', async () => {
    const donor = await Donor.open();
    donor.find('#name')!.focus();
    await donor.waitFor('.payment-fields:not(.waiting)');
    expect([stored(sessionStorage), stored(localStorage)]).to.deep.equal([null, null]);
  });

  it('finds the input before a press of Give, in this tab and on this page only', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('other', '12.34');
    expect(stored(localStorage)).to.equal(null);
    const again = await reload(donor);
    await again.waitForText('Give $12.34');
    expect(again.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    expect(again.find<HTMLInputElement>('#email')!.value).to.equal('maya@example.org');
    expect(again.find('#banner')).to.equal(null);
    await leave(again);
    history.replaceState(null, '', '?another-page');
    const elsewhere = await Donor.open();
    expect(elsewhere.find<HTMLInputElement>('#name')!.value).to.equal('');
  });

  it('finds the chosen options, if the form still offers them', async () => {
    server.setForm({
      terms: donationTerms({ frequencies: ['one_time', 'monthly'], fee_cover: 'offered' }),
    });
    const donor = await Donor.open();
    donor.select('monthly');
    donor.select(10_000);
    donor.check('coverFee');
    await donor.waitForText('Give $103.30 monthly');
    // The code that stores it may still be loading.
    await waitUntil(() => /"coverFee":true/.test(stored(sessionStorage) ?? ''), 'it is saved');
    const same = await reload(donor);
    await same.waitForText('Give $103.30 monthly');
    server.setForm({ terms: donationTerms() });
    const other = await reload(same);
    await other.waitForText('Give $100');
    expect(other.text).not.to.include('monthly');
  });

  it('has no input stored after the donation', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(stored(sessionStorage)).not.to.match(/maya@|Lindqvist/);
  });

  it('finds the input after a reload before the payment intent is created', async () => {
    server.on('/payment-intents', neverResolves);
    const donor = await Donor.open();
    await donor.fill();
    donor.select(2500);
    donor.submit();
    await waitUntil(() => server.idempotencyKeys.length === 1, 'requested');
    server.on('/payment-intents', () => jsonResponse(intent(), 201));
    const again = await reload(donor);
    await again.waitForText('was not completed, and you were not charged');
    expect(again.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    await again.waitForText('Give $25');
    await again.fillAndSubmit();
    await again.waitForText('Thank you');
    // With the same key the server returns the same intent.
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });

  it('sees the thank-you page after a reload while the card is charged', async () => {
    stripe.confirm = neverResolves;
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    const again = await reload(donor);
    await again.waitForText('Your gift of $50 to Harbor Street Food Bank is complete.');
    expect(stripe.retrieved).to.deep.equal(['pi_1_secret_1']);
    expect(stripe.confirmed).to.have.length(1);
    expect(stored(sessionStorage)).not.to.include('Lindqvist');
  });

  it('sees the decline reason after a reload, and retries with the same intent', async () => {
    stripe.confirm = neverResolves;
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    stripe.retrieve = () => ({
      paymentIntent: {
        id: 'pi_1',
        status: 'requires_payment_method',
        last_payment_error: { type: 'card_error', decline_code: 'insufficient_funds' },
      },
    });
    const again = await reload(donor);
    await again.waitForText('not have enough funds');
    expect(again.find<HTMLInputElement>('#email')!.value).to.equal('maya@example.org');
    stripe.confirm = () => paid();
    await again.fillAndSubmit();
    await again.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
  });

  it('sees the thank-you page again after a reload, until another donation is started', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you, Maya');
    const again = await reload(donor);
    await again.waitForText('Thank you, Maya');
    again.find('.thank-you button:last-child')!.click();
    await waitUntil(() => again.find('form'), 'a form');
    const reloaded = await reload(again);
    await reloaded.waitForText('Give $50');
  });

  it('reads no name and no amount of an earlier donor who has left', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you, Maya');
    const earlier = `"thankedAt":${Date.now() - 15 * 60_000}`;
    const records = stored(sessionStorage)!.replace(/"thankedAt":\d+/, earlier);
    sessionStorage.setItem('connect-embed', records);
    const next = await reload(donor);
    await next.waitForText('Thank you for your gift.');
    expect(next.text).not.to.match(/Maya|\$50 to/);
    expect(next.find('form')).to.exist;
    expect(stored(sessionStorage)).to.equal(null);
  });

  it('sees the outcome when the page is restored from the back/forward cache', async () => {
    stripe.confirm = neverResolves; // The donor was redirected to a bank and pressed Back.
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    stripe.retrieve = () => ({ paymentIntent: { id: 'pi_1', status: 'requires_action' } });
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await donor.waitForText('did not go through, and you were not charged');
    stripe.confirm = () => paid();
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
  });

  it('sees an unknown outcome as soon as the browser is online again', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.confirm = () => ({ error: { type: 'api_connection_error' } });
    stripe.retrieve = () => ({ error: { type: 'api_connection_error' } });
    donor.submit();
    await donor.waitForText('could not confirm whether your gift went through');
    stripe.retrieve = () => paid();
    window.dispatchEvent(new Event('online'));
    await donor.waitForText('Thank you');
    expect(stripe.confirmed).to.have.length(1);
  });
});

describe('a donor with two tabs', () => {
  const { setItem } = Storage.prototype;
  afterEach(() => (Storage.prototype.setItem = setItem));

  it('waits in the second tab while the first pays, and is not charged twice', async () => {
    const { first, second, resolvePayment } = await submitInFirstOfTwoTabs();
    second.submit();
    await second.waitForText('A gift is being processed in another tab');
    resolvePayment(paid());
    await first.waitForText('Thank you');
    await second.waitForText('You gave $50 a moment ago in another tab');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed).to.have.length(1);
  });

  describe('of which the first waits long', () => {
    beforeEach(() => passAtOnce((ms) => ms === LONG_WAIT_MS));

    it('can stop waiting in the second, and is charged at most once', async () => {
      const { first, second, resolvePayment } = await submitInFirstOfTwoTabs();
      second.submit();
      await second.waitForText('Your other tab is still waiting, probably for your bank.');
      await waitUntil(() => second.focused?.id === 'banner', 'the message has the focus');
      second.find('#banner button')!.click();
      await second.waitForText('Nothing was charged in this tab.');
      second.submit();
      await second.waitForText('Your other tab is still waiting');
      resolvePayment(paid());
      await first.waitForText('Thank you');
      await second.waitForText('You gave $50 a moment ago in another tab');
      expect(server.requestsTo('/payment-intents')).to.have.length(1);
      expect(stripe.confirmed).to.have.length(1);
    });

    it('cannot stop waiting once the second is charged', async () => {
      const { first, second, resolvePayment } = await submitInFirstOfTwoTabs();
      second.submit();
      await second.waitForText('Your other tab is still waiting');
      stripe.confirm = neverResolves;
      stripe.retrieve = () => ({
        paymentIntent: { id: 'pi_1', status: 'requires_payment_method' },
      });
      resolvePayment(declined('insufficient_funds'));
      await first.waitForText('not have enough funds');
      await waitUntil(() => stripe.confirmed.length === 2, 'the second tab confirms');
      expect(second.text).not.to.include('Stop waiting');
      expect(second.text).to.include('Giving $50');
    });
  });

  it('is warned even if the first tab’s result is stored after its lock is released', async () => {
    const { second, resolvePayment } = await submitInFirstOfTwoTabs();
    const pendingItems = { ...localStorage };
    second.submit();
    await second.waitForText('A gift is being processed in another tab');
    stripe.retrieve = () => paid();
    Storage.prototype.setItem = () => {}; // Simulates that another process does not see the write yet.
    resolvePayment(paid());
    await second.waitForText('You gave $50 a moment ago in another tab');
    expect({ ...localStorage }).to.deep.equal(pendingItems);
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed).to.have.length(1);
  });

  it('sees in the second tab the outcome that the first tab never received', async () => {
    stripe.confirm = neverResolves;
    const first = await Donor.open();
    await first.fillAndSubmit();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    await leave(first); // The first tab is closed.
    sessionStorage.clear();
    const second = await Donor.open();
    await second.fillAndSubmit();
    await second.waitForText('Your gift of $50 to Harbor Street Food Bank is complete.');
    expect(stripe.confirmed).to.have.length(1);
  });

  it('can donate the same amount again with a second press', async () => {
    const first = await Donor.open();
    await first.fillAndSubmit();
    await first.waitForText('Thank you');
    first.element.remove();
    const second = await openTab();
    await second.fillAndSubmit();
    await second.waitForText('To give once more, press “Give” again');
    second.submit();
    await second.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(2);
  });

  it('is not blocked by a card that was declined in the other tab', async () => {
    stripe.confirm = () => declined('insufficient_funds');
    const first = await Donor.open();
    await first.fillAndSubmit();
    await first.waitForText('not have enough funds');
    expect(stored(localStorage)).to.equal(null);
  });
});

describe('the reference of the donation', () => {
  it('is shown at once, never changes, and needs no further request', async () => {
    server.on('/payment-intents', () => jsonResponse({ ...intent(), reference: 'K7QM-4XTZ' }, 201));
    const donor = await Donor.open();
    await donor.fill();
    passAtOnce((ms) => ms <= 5000); // So that a further check of the payment would follow at once.
    donor.submit();
    await donor.waitFor('.thank-you');
    expect(donor.text)
      .to.include('K7QM-4XTZ')
      .and.not.match(/pi_|don_/);
    const requestCount = server.requests.length;
    await untilQuiet();
    expect(server.requests).to.have.length(requestCount);
    expect(donor.text).to.include('K7QM-4XTZ');
    const again = await reload(donor);
    await again.waitForText('K7QM-4XTZ');
  });

  it('belongs to the latest donation', async () => {
    server.on('/payment-intents', (_, times) =>
      jsonResponse({ ...intent(`pi_${times}`), reference: `K7QM-4XT${times + 2}` }, 201),
    );
    stripe.confirm = (secret) => ({
      paymentIntent: { ...paid().paymentIntent, id: secret.slice(0, 4) },
    });
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('K7QM-4XT3');
    donor.all('.links button').at(-1)!.click();
    await donor.whenDrawn();
    donor.select(2500);
    await donor.fillAndSubmit();
    await donor.waitForText('K7QM-4XT4');
    expect(donor.text).not.to.include('K7QM-4XT3');
    expect(stored(sessionStorage)).to.include('K7QM-4XT4').and.not.include('K7QM-4XT3');
  });

  it('is omitted if only the payment intent’s id is known', async () => {
    server.on('/payment-intents', () => jsonResponse({ ...intent(), reference: undefined }, 201));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(donor.text).not.to.match(/Reference|pi_1/);
  });
});
