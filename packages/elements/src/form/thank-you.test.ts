import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { nextPayment } from './thank-you.ts';
import { Donor } from '../test-support/donor.ts';
import {
  FUNDS,
  LOGO,
  donationTerms,
  embedForm,
  formSession,
  impactOf,
  intent,
  jsonResponse,
  publicForm,
} from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { PAID_AT, paid } from '../test-support/fake-stripe.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** The details of the donation on the thank-you page, by label. */
const facts = (donor: Donor) =>
  Object.fromEntries(
    donor
      .all('dl > div')
      .map(({ children }) => [...children].map(({ textContent }) => textContent.trim())),
  ) as Record<string, string>;

const clickButton = (donor: Donor, name: string) =>
  donor
    .all('.thank-you button')
    .find((button) => button.textContent.trim() === name)!
    .click();

/** Submits a donation and waits for the thank-you page. */
async function completeDonation(prepare: (donor: Donor) => void = () => {}): Promise<Donor> {
  const donor = await Donor.open();
  await donor.fill();
  prepare(donor);
  donor.submit();
  await donor.waitFor('.thank-you');
  return donor;
}

describe('the thank-you page', () => {
  it('has its own height, not the form’s', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const form = donor.find('.frame')!.offsetHeight;
    donor.submit();
    await donor.waitFor('.thank-you');
    const frame = donor.find('.frame')!;
    const content = frame.querySelector('.thank-you')!.getBoundingClientRect();
    expect(frame.offsetHeight).to.be.lessThan(form - 200);
    expect(frame.getBoundingClientRect().bottom - content.bottom).to.be.lessThan(40);
    await waitUntil(() => donor.focused?.id === 'title', 'the focus is on the heading');
    expect(donor.find('#title')!.getBoundingClientRect().top).to.be.within(0, innerHeight);
  });

  it('shows fund, campaign and short reference', async () => {
    server.setForm({ terms: donationTerms({ fund_choice_ids: FUNDS.map(({ id }) => id) }, FUNDS) });
    const donor = await completeDonation((one) => {
      const select = one.find<HTMLSelectElement>('#fund')!;
      select.value = 'fund_2';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(facts(donor)).to.include({
      Amount: '$50',
      Fund: 'Mobile kitchen',
      Campaign: 'Winter meals',
      Reference: 'K7QM-4XTZ',
    });
    expect(donor.text).not.to.match(/pi_|don_/);
  });

  for (const [zone, day] of [
    ['America/New_York', 'December 31, 2025'],
    ['Pacific/Kiritimati', 'January 1, 2026'],
    // A name that the browser does not know.
    ['Europe/Atlantis', PAID_AT.toLocaleDateString('en-US', { dateStyle: 'long' })],
  ] as const) {
    it(`shows the day of the payment in ${zone}, and not by the donor's clock`, async () => {
      const organization = { ...embedForm().organization, time_zone: zone };
      server.setForm({ organization });
      expect(facts(await completeDonation())['Date']).to.equal(day);
    });
  }

  it('shows the date of the next payment of a monthly donation', async () => {
    server.setForm({ terms: donationTerms({ frequencies: ['one_time', 'monthly'] }) });
    const donor = await completeDonation((one) => one.select('monthly'));
    expect(facts(donor)).to.include({
      Date: 'December 31, 2025',
      'Next gift': 'January 31, 2026',
    });
  });

  for (const [paidOn, frequency, due] of [
    ['2026-01-31T12:00:00Z', 'monthly', '2026-02-28T12:00:00.000Z'],
    ['2026-11-30T23:30:00Z', 'quarterly', '2027-02-28T23:30:00.000Z'],
    ['2028-02-29T00:00:00Z', 'yearly', '2029-02-28T00:00:00.000Z'],
    ['2026-12-15T08:00:00Z', 'monthly', '2027-01-15T08:00:00.000Z'],
  ] as const) {
    it(`computes the next payment like Stripe: ${frequency} from ${paidOn}`, () => {
      expect(nextPayment(Date.parse(paidOn), frequency).toISOString()).to.equal(due);
    });
  }

  it('shows the whole email address once, and stores it masked', async () => {
    const donor = await completeDonation();
    expect(donor.text).to.include('sent to maya@example.org');
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.to.include('maya@');
    donor.element.remove();
    const again = await Donor.render();
    await again.waitForText('sent to m•••@example.org');
  });

  it('shows the fee as a part of the total, and repeats the dedication', async () => {
    server.setForm({ terms: donationTerms({ fee_cover: 'offered', allow_dedication: true }) });
    stripe.confirm = () => paid(5181);
    const donor = await completeDonation((one) => {
      one.check('coverFee');
      one.find('summary')!.click();
      one.type('dedication', 'Grandma Ruth');
    });
    const expected = {
      'Gift without fee': '$50',
      'Processing fee': '$1.81',
      Total: '$51.81',
      'In honor or memory of': 'Grandma Ruth',
    };
    expect(facts(donor)).to.include(expected);
    expect(facts(donor)).not.to.have.property('Amount');
    donor.element.remove();
    const again = await Donor.render();
    await again.waitFor('.thank-you');
    expect(facts(again)).to.include(expected);
  });

  it('says what the gift without the fee achieves', async () => {
    server.setForm({
      terms: donationTerms({ fee_cover: 'preselected' }),
      presentation: impactOf({ 5000: 'a week of school lunches' }),
    });
    stripe.confirm = () => paid(5181);
    const donor = await completeDonation();
    expect(donor.find('.impact')).to.have.trimmed.text('$50 a week of school lunches');
  });

  it('has no impact and no fee of a donation that another tab made', async () => {
    server.setForm({
      terms: donationTerms({ fee_cover: 'preselected' }),
      presentation: impactOf({ 5000: 'a week of school lunches' }),
    });
    stripe.confirm = () => ({ paymentIntent: { ...paid(5000).paymentIntent, id: 'pi_other' } });
    const donor = await completeDonation();
    expect(donor.find('.impact')).to.equal(null);
    expect(facts(donor)).to.include({ Amount: '$50' });
  });

  it('leads to an email to the organization that names the gift', async () => {
    const link = (await completeDonation()).find<HTMLAnchorElement>('.links a')!;
    expect(link).to.have.trimmed.text('Write to Harbor Street Food Bank');
    expect(link.href).to.equal('mailto:hello@harborstreet.example?subject=K7QM-4XTZ');
  });

  it('asks donors to contact an organization without a public address', async () => {
    server.setForm({ organization: { ...embedForm().organization, contact_email: null } });
    const donor = await completeDonation();
    expect(donor.find('.links a')).to.equal(null);
    expect(donor.text).to.include('Contact the organization and include the reference.');
  });

  it('shows the logo, and the checkmark in the same space if it cannot be loaded', async () => {
    server.setForm({ organization: { ...embedForm().organization, logo_url: LOGO } });
    const donor = await completeDonation();
    const image = donor.find<HTMLImageElement>('.logo')!;
    const { height } = image.getBoundingClientRect();
    await image.decode();
    expect(image.getBoundingClientRect().height).to.equal(height);
    expect(donor.find('.checkmark')).to.equal(null);
    image.dispatchEvent(new Event('error'));
    await donor.waitFor('.checkmark');
    expect(donor.find('.logo')).to.equal(null);
    expect(donor.find('.checkmark')!.getBoundingClientRect().height).to.equal(height);
  });
});

describe('sharing', () => {
  const { share } = navigator;
  afterEach(() => Object.assign(navigator, { share }));
  const replace = (name: 'share' | 'clipboard', value: unknown) =>
    Object.defineProperty(navigator, name, { value, configurable: true, writable: true });

  it('opens the share sheet with the page’s URL, without the donor’s parameters', async () => {
    const shared: ShareData[] = [];
    replace('share', (data: ShareData) => Promise.resolve(shared.push(data)));
    const url = new URL(location.href);
    url.searchParams.set('donor_email', 'maya@example.org');
    history.replaceState(null, '', url);
    server.setForm({ terms: donationTerms({ prefill_from_url: ['donor_email'] }) });
    const donor = await completeDonation();
    clickButton(donor, 'Share');
    await waitUntil(() => shared.length, 'it is shared');
    expect(shared[0]!.url).not.to.include('maya');
    expect(shared[0]!.title).to.equal('Harbor Street Food Bank');
  });

  it('copies the URL if there is no share sheet, and confirms it', async () => {
    const copied: string[] = [];
    replace('share', undefined);
    replace('clipboard', { writeText: (text: string) => Promise.resolve(copied.push(text)) });
    const donor = await completeDonation();
    clickButton(donor, 'Share');
    await donor.waitForText('Link copied');
    expect(copied).to.deep.equal([location.href]);
    expect(donor.find('[role=status]')!.textContent).to.equal('Link copied');
  });

  it('shows the URL if copying is not allowed', async () => {
    replace('share', undefined);
    replace('clipboard', { writeText: () => Promise.reject(new Error('not allowed')) });
    const donor = await completeDonation();
    clickButton(donor, 'Share');
    await waitUntil(() => donor.focused?.id === 'link', 'the address has the focus');
    expect(donor.find<HTMLInputElement>('#link')!.value).to.equal(location.href);
  });

  it('is not offered on a hosted form, whose URL expires', async () => {
    const { href } = location;
    history.replaceState(null, '', '/embed/es_1');
    server.on('/embed/es_1/embed-form', () => jsonResponse(publicForm()));
    server.on('/embed/es_1/embed-sessions', () => jsonResponse(formSession(), 201));
    server.on('/embed/es_1/payment-intents', () => jsonResponse(intent(), 201));
    const donor = await Donor.open(
      html`<connect-donate server=${`${location.origin}/embed/es_1`}></connect-donate>`,
    );
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    history.replaceState(null, '', href);
    expect(donor.text).not.to.include('Share');
  });
});
