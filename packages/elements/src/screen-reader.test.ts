import { virtual } from '@guidepup/virtual-screen-reader/browser.js';
import { expect } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { flatTree } from './test-support/flat-tree.ts';
import { donationTerms } from './test-support/server.ts';
import { server, stripe } from './test-support/set-up.ts';
import { declined } from './test-support/fake-stripe.ts';
import { untilQuiet } from './test-support/until-quiet.ts';

/** Everything that a screen reader announces from the start of the form to its end. */
async function readAloud(donor: Donor): Promise<string[]> {
  const page = document.createElement('div');
  page.append(...flatTree(donor.element));
  document.body.append(page);
  await virtual.start({ container: page });
  const phrases = await virtual.spokenPhraseLog();
  // The simulator starts again after the end.
  do await virtual.next();
  while ((await virtual.lastSpokenPhrase()) !== phrases[0]);
  const all = await virtual.spokenPhraseLog();
  await virtual.stop();
  page.remove();
  return all.slice(0, -1);
}

describe('screen reader output', () => {
  it('for the form', async () => {
    const terms = donationTerms({
      preset_amounts_cents: [2500, 5000],
      frequencies: ['one_time', 'monthly'],
      fee_cover: 'offered',
    });
    server.setForm({ terms });
    const phrases = await readAloud(await Donor.open());
    expect(phrases).to.deep.equal([
      'region, Support Harbor Street Food Bank Winter meals',
      'paragraph',
      'Test mode',
      'You will not be charged.',
      'end of paragraph',
      'heading, Support Harbor Street Food Bank, level 2',
      'paragraph',
      'Winter meals',
      'end of paragraph',
      'form, Support Harbor Street Food Bank Winter meals',
      'group, How often',
      'How often',
      'radio, One-time, checked, position 1, set size 2',
      'One-time',
      'radio, Monthly, not checked, position 2, set size 2',
      'Monthly',
      'end of group, How often',
      'group, Amount, Any amount from $5 to $10,000.',
      'Amount',
      'radio, $25, not checked, position 1, set size 2',
      '$25',
      'radio, $50, checked, position 2, set size 2',
      '$50',
      'Other amount',
      'Any amount from $5 to $10,000.',
      'textbox, Other amount, Any amount from $5 to $10,000.',
      'button, Give $25 a month instead?',
      'end of group, Amount, Any amount from $5 to $10,000.',
      'checkbox, Add $1.81 to cover the processing fee, $50 + $1.81 = $51.81. The organization receives the full $50., not checked',
      'Add $1.81 to cover the processing fee',
      '$50 + $1.81 = $51.81. The organization receives the full $50.',
      'group, Your details',
      'Your details',
      'Name',
      '(required)',
      'textbox, Name (required), required',
      'Email',
      '(required)',
      'textbox, Email (required), required',
      'end of group, Your details',
      'group, Card',
      'Card',
      'end of group, Card',
      'button, Give $50',
      'paragraph',
      'Payment details go directly to our payment provider, never to this website.',
      'end of paragraph',
      'end of form, Support Harbor Street Food Bank Winter meals',
      'status',
      'end of region, Support Harbor Street Food Bank Winter meals',
    ]);
  });

  it('for a lost connection, once', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const offline =
      'You are offline. You were not charged, and everything you entered is still here.';
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    server.on('/payment-intents', () => undefined);
    donor.submit();
    await donor.waitForText(offline);
    const offlinePhrases = (phrases: string[]) =>
      phrases.filter((phrase) => phrase.includes(offline));
    expect(offlinePhrases(await readAloud(donor))).to.deep.equal([`group, ${offline}`]);
    Reflect.deleteProperty(navigator, 'onLine');
  });

  it('for missing fields', async () => {
    const donor = await Donor.open();
    donor.submit();
    await donor.waitForText('Check 3 fields');
    const phrases = await readAloud(donor);
    const details = phrases.indexOf('group, Your details');
    expect(phrases.slice(details, phrases.indexOf('group, Card'))).to.deep.equal([
      'group, Your details',
      'Your details',
      'Name',
      '(required)',
      'textbox, Name (required), Enter your name., invalid, required',
      'paragraph',
      'Enter your name.',
      'end of paragraph',
      'Email',
      '(required)',
      'textbox, Email (required), Enter your email address., invalid, required',
      'paragraph',
      'Enter your email address.',
      'end of paragraph',
      'end of group, Your details',
    ]);
    const summary = phrases.indexOf('Check 3 fields');
    expect(phrases.slice(summary, phrases.indexOf('button, Give $50'))).to.deep.equal([
      'Check 3 fields',
      'end of strong',
      'list',
      'listitem, level 1, position 1, set size 3',
      'link, Enter your name.',
      'end of listitem, level 1, position 1, set size 3',
      'listitem, level 1, position 2, set size 3',
      'link, Enter your email address.',
      'end of listitem, level 1, position 2, set size 3',
      'listitem, level 1, position 3, set size 3',
      'link, Complete your payment details.',
      'end of listitem, level 1, position 3, set size 3',
      'end of list',
      'end of group, Check 3 fields',
    ]);
  });

  it('for the thank-you page', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    const phrases = (await readAloud(donor)).map((line) =>
      line.replace(/[A-Z][a-z]+ \d+, \d{4}/, 'TODAY'),
    );
    expect(phrases).to.deep.equal([
      'region, Thank you, Maya',
      'paragraph',
      'Test mode: You will not be charged.',
      'end of paragraph',
      'heading, Thank you, Maya, level 2',
      'paragraph',
      'Your gift of $50 to Harbor Street Food Bank is complete.',
      'end of paragraph',
      'paragraph',
      'Your receipt will be sent to maya@example.org.',
      'end of paragraph',
      'term',
      'Amount',
      'end of term',
      'definition',
      '$50',
      'end of definition',
      'term',
      'Campaign',
      'end of term',
      'definition',
      'Winter meals',
      'end of definition',
      'term',
      'Date',
      'end of term',
      'definition',
      'TODAY',
      'end of definition',
      'term',
      'Reference',
      'end of term',
      'definition',
      'K7QM-4XTZ',
      'end of definition',
      'button, Share',
      'link, Write to Harbor Street Food Bank',
      'button, Print',
      'button, Make another gift',
      'status',
      'end of region, Thank you, Maya',
    ]);
  });
});

/** All texts of the live region, in order. */
function listen(donor: Donor): string[] {
  const announcements: string[] = [];
  const region = donor.find('[role=status]')!;
  new MutationObserver(() => {
    const text = region.textContent.trim();
    if (text) announcements.push(text);
  }).observe(region, { childList: true, characterData: true, subtree: true });
  return announcements;
}

describe('an announcement in the live region', () => {
  it('is made once', async () => {
    const donor = await Donor.open();
    const announcements = listen(donor);
    await donor.fill();
    stripe.confirm = () => declined('insufficient_funds');
    donor.submit();
    await donor.waitForText('not have enough funds');
    await untilQuiet();
    expect(announcements).to.deep.equal([
      'Loading the payment form…',
      'Your gift is being processed. Please wait.',
    ]);
  });
});
