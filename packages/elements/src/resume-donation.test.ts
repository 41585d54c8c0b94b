import { aTimeout, expect } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { releaseLocks } from './test-support/release-locks.ts';
import { giftTerms, intent, jsonResponse, neverResolves } from './test-support/server.ts';
import { server, stripe } from './test-support/set-up.ts';
import { declined, paid, type StripeResult } from './test-support/fake-stripe.ts';
import { waitUntil } from './test-support/wait-until.ts';

const stored = (area: Storage) => area.getItem('connect-embed');

/** The page is gone, and with it the lock that the browser held for it. */
async function leave(donor: Donor) {
  donor.element.remove();
  await releaseLocks();
}

/** The page is loaded again: nothing is left of it but what the browser keeps of the tab. */
async function reload(donor: Donor): Promise<Donor> {
  await leave(donor);
  return Donor.visit();
}

/** Another tab of the same browser: it shares what tabs share, and not what is one tab's own. */
async function openTab(): Promise<Donor> {
  const own = stored(sessionStorage);
  sessionStorage.removeItem('connect-embed');
  const donor = await Donor.arrive();
  if (own) sessionStorage.setItem('connect-embed', own);
  return donor;
}

/** Two tabs, both filled in, and the processor has been asked for the gift of the first. */
async function giveInFirstOfTwo() {
  let answer!: (paid: StripeResult) => void;
  stripe.confirm = () => new Promise((resolve) => (answer = resolve));
  const first = await Donor.arrive();
  await first.fill();
  const second = await openTab();
  second.type('name', 'Maya Lindqvist');
  second.type('email', 'maya@example.org');
  await second.waitFor('.place:not(.waiting)');
  first.press();
  await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
  return { first, second, answer };
}

describe('a donor who comes back', () => {
  it('has left nothing in the browser before the first input', async () => {
    const donor = await Donor.arrive();
    donor.find('#name')!.focus();
    await donor.waitFor('.place:not(.waiting)');
    await aTimeout(20);
    expect([stored(sessionStorage), stored(localStorage)]).to.deep.equal([null, null]);
  });

  it('finds what was typed before Give was pressed, in this tab and on this page alone', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    donor.type('other', '12.34');
    expect(stored(localStorage)).to.equal(null);
    const again = await reload(donor);
    await again.waitForText('Give $12.34');
    expect(again.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    expect(again.find<HTMLInputElement>('#email')!.value).to.equal('maya@example.org');
    expect(again.find('#notice')).to.equal(null);
    await leave(again);
    history.replaceState(null, '', '?another-page');
    const elsewhere = await Donor.arrive();
    expect(elsewhere.find<HTMLInputElement>('#name')!.value).to.equal('');
  });

  it('finds a chosen amount, and only what the form still offers', async () => {
    server.setForm({
      terms: giftTerms({ frequencies: ['one_time', 'monthly'], fee_cover: 'offered' }),
    });
    const donor = await Donor.arrive();
    donor.choose('monthly');
    donor.choose(10_000);
    donor.tick('coverFee');
    await donor.waitForText('Give $103.30 monthly');
    // By the code behind the form, which may still be on its way.
    await waitUntil(() => /"coverFee":true/.test(stored(sessionStorage) ?? ''), 'it is saved');
    const same = await reload(donor);
    await same.waitForText('Give $103.30 monthly');
    server.setForm({ terms: giftTerms() });
    const other = await reload(same);
    await other.waitForText('Give $100');
    expect(other.text).not.to.include('monthly');
  });

  it('finds nothing of it once the donation is made', async () => {
    const donor = await Donor.arrive();
    await donor.give();
    await donor.waitForText('Thank you');
    expect(stored(sessionStorage)).not.to.match(/maya@|Lindqvist/);
  });

  it('finds what was typed when the page is reloaded before the intent is made', async () => {
    server.on('/payment-intents', neverResolves);
    const donor = await Donor.arrive();
    await donor.fill();
    donor.choose(2500);
    donor.press();
    await waitUntil(() => server.idempotencyKeys.length === 1, 'asked');
    server.on('/payment-intents', () => jsonResponse(intent(), 201));
    const again = await reload(donor);
    await again.waitForText('was not completed, and nothing was charged');
    expect(again.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    await again.waitForText('Give $25');
    await again.give();
    await again.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1); // The server answers with the same intent.
  });

  it('is thanked when the page is reloaded while the card is being charged', async () => {
    stripe.confirm = neverResolves;
    const donor = await Donor.arrive();
    await donor.give();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    const again = await reload(donor);
    await again.waitForText('Your gift of $50 to Harbor Street Food Bank is complete.');
    expect(stripe.retrieved).to.deep.equal(['pi_1_secret_1']);
    expect(stripe.confirmed).to.have.length(1);
    expect(stored(sessionStorage)).not.to.include('Lindqvist');
  });

  it('is told why when the card was refused meanwhile, and gives the same gift', async () => {
    stripe.confirm = neverResolves;
    const donor = await Donor.arrive();
    await donor.give();
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
    await again.give();
    await again.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
  });

  it('sees the thank-you again after a reload, until another gift is begun', async () => {
    const donor = await Donor.arrive();
    await donor.give();
    await donor.waitForText('Thank you, Maya');
    const again = await reload(donor);
    await again.waitForText('Thank you, Maya');
    again.find('.thanks button:last-child')!.click();
    await waitUntil(() => again.find('form'), 'a form');
    const fresh = await reload(again);
    await fresh.waitForText('Give $50');
  });

  it('sees the truth when the browser brings the page back as it was left', async () => {
    stripe.confirm = neverResolves; // The donor was led to a bank, and pressed Back.
    const donor = await Donor.arrive();
    await donor.give();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    stripe.retrieve = () => ({ paymentIntent: { id: 'pi_1', status: 'requires_action' } });
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await donor.waitForText('did not go through, and nothing was charged');
    stripe.confirm = () => paid();
    donor.press();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
  });

  it('is told as soon as the line is back when nobody knew', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.confirm = () => ({ error: { type: 'api_connection_error' } });
    stripe.retrieve = () => ({ error: { type: 'api_connection_error' } });
    donor.press();
    await donor.waitForText('could not find out whether your gift went through');
    stripe.retrieve = () => paid();
    window.dispatchEvent(new Event('online'));
    await donor.waitForText('Thank you');
    expect(stripe.confirmed).to.have.length(1);
  });
});

describe('a donor with two tabs', () => {
  const { setItem } = Storage.prototype;
  afterEach(() => (Storage.prototype.setItem = setItem));

  it('waits in the second while the first gives, and is not charged twice', async () => {
    const { first, second, answer } = await giveInFirstOfTwo();
    second.press();
    await second.waitForText('Another tab of this page is making a gift right now');
    answer(paid());
    await first.waitForText('Thank you');
    await second.waitForText('You gave $50 a moment ago in another tab');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed).to.have.length(1);
  });

  it('is told the same where the first tab’s word comes later than its lock', async () => {
    const { second, answer } = await giveInFirstOfTwo();
    const underWay = { ...localStorage };
    second.press();
    await second.waitForText('Another tab of this page is making a gift right now');
    stripe.retrieve = () => paid();
    Storage.prototype.setItem = () => {}; // Another process has not heard of it yet.
    answer(paid());
    await second.waitForText('You gave $50 a moment ago in another tab');
    expect({ ...localStorage }).to.deep.equal(underWay);
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed).to.have.length(1);
  });

  it('is told in the second what the first never heard', async () => {
    stripe.confirm = neverResolves;
    const first = await Donor.arrive();
    await first.give();
    await waitUntil(() => stripe.confirmed.length === 1, 'confirming');
    await leave(first); // The tab is closed.
    sessionStorage.clear();
    const second = await Donor.arrive();
    await second.give();
    await second.waitForText('Your gift of $50 to Harbor Street Food Bank is complete.');
    expect(stripe.confirmed).to.have.length(1);
  });

  it('may give as much once more when that is meant', async () => {
    const first = await Donor.arrive();
    await first.give();
    await first.waitForText('Thank you');
    first.element.remove();
    const second = await openTab();
    await second.give();
    await second.waitForText('To give once more, press Give again');
    second.press();
    await second.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(2);
  });

  it('is not kept from giving by a card that was refused in the other', async () => {
    stripe.confirm = () => declined('insufficient_funds');
    const first = await Donor.arrive();
    await first.give();
    await first.waitForText('not have enough funds');
    expect(stored(localStorage)).to.equal(null);
  });
});

describe('the reference of the donation', () => {
  it('is there from the first moment, never changes, and costs no further request', async () => {
    server.on('/payment-intents', () => jsonResponse({ ...intent(), reference: 'K7QM-4XTZ' }, 201));
    const donor = await Donor.arrive();
    await donor.give();
    await donor.waitFor('.thanks');
    expect(donor.text)
      .to.include('K7QM-4XTZ')
      .and.not.match(/pi_|don_/);
    const asked = server.asked.length;
    await aTimeout(1200);
    expect(server.asked).to.have.length(asked);
    expect(donor.text).to.include('K7QM-4XTZ');
    const again = await reload(donor);
    await again.waitForText('K7QM-4XTZ');
    await expect(again.element).to.be.accessible();
  });

  it('stays with its own gift when the next one is already thanked for', async () => {
    server.on('/payment-intents', (_, times) =>
      jsonResponse({ ...intent(`pi_${times}`), reference: `K7QM-4XT${times + 2}` }, 201),
    );
    stripe.confirm = (secret) => ({
      paymentIntent: { ...paid().paymentIntent, id: secret.slice(0, 4) },
    });
    const donor = await Donor.arrive();
    await donor.give();
    await donor.waitForText('K7QM-4XT3');
    donor.all('.actions button').at(-1)!.click();
    await donor.whenDrawn();
    donor.choose(2500);
    await donor.give();
    await donor.waitForText('K7QM-4XT4');
    expect(donor.text).not.to.include('K7QM-4XT3');
    expect(stored(sessionStorage)).to.include('K7QM-4XT4').and.not.include('K7QM-4XT3');
  });

  it('is left out where this browser knows the payment alone', async () => {
    server.on('/payment-intents', () => jsonResponse({ ...intent(), reference: undefined }, 201));
    const donor = await Donor.arrive();
    await donor.give();
    await donor.waitForText('Thank you');
    expect(donor.text).not.to.match(/Reference|pi_1/);
    await expect(donor.element).to.be.accessible();
  });
});
