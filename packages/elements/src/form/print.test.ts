import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { SERVER } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { paid } from '../test-support/fake-stripe.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const append = document.body.append.bind(document.body);

/** Collects the documents that are printed, because a test cannot close a browser's print dialog. */
function sheet(): Document[] {
  const sheets: Document[] = [];
  document.body.append = (...nodes) => {
    append(...nodes);
    const frame = nodes.find((node) => node instanceof HTMLIFrameElement);
    if (frame) frame.contentWindow!.print = () => void sheets.push(frame.contentDocument!);
  };
  return sheets;
}

async function printed(donor: Donor): Promise<Document> {
  const sheets = sheet();
  donor
    .all('.thank-you button')
    .find((button) => /^(Print|طباعة)$/.test(button.textContent))!
    .click();
  await waitUntil(() => sheets.length, 'printed');
  return sheets[0]!;
}

/** The printed paragraphs, and each detail of the donation as one line. */
const textsOf = (body: HTMLElement) =>
  [...body.querySelectorAll('h1, p, div')].map((element) =>
    [...(element.matches('div') ? element.children : [element])]
      .map(({ textContent }) => textContent.trim())
      .join(': '),
  );

describe('the printed thank-you page', () => {
  afterEach(() => {
    document.body.append = append;
    for (const frame of document.querySelectorAll('iframe[aria-hidden]')) frame.remove();
  });

  it('contains the donation and nothing of the page around it', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    const { title, body, documentElement } = await printed(donor);
    expect(title).to.equal('Harbor Street Food Bank');
    expect(documentElement.lang).to.equal('en');
    expect(textsOf(body)).to.include.members([
      'Harbor Street Food Bank',
      'Test mode: You will not be charged.',
      'Your gift of $50 to Harbor Street Food Bank is complete.',
      'Your receipt will be sent to maya@example.org.',
      'Amount: $50',
      'Campaign: Winter meals',
      'Reference: K7QM-4XTZ',
    ]);
    expect(textsOf(body)).to.have.length(8);
  });

  it('has no test mode notice in live mode', async () => {
    server.setForm({ livemode: true });
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(donor.find('.test')).to.equal(null);
    const { body } = await printed(donor);
    expect(textsOf(body)).to.have.length(7);
    expect(body.textContent).not.to.include('Test');
  });

  it('does not call a payment complete that the bank is still processing', async () => {
    stripe.confirm = () => ({ paymentIntent: { ...paid().paymentIntent, status: 'processing' } });
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Your bank is still processing');
    expect(donor.text).not.to.include('receipt');
    const { body } = await printed(donor);
    expect(body.textContent).to.include('Your bank is still processing your gift of $50');
    expect(body.textContent).not.to.include('is complete');
  });

  it('is right-to-left in a right-to-left language', async () => {
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} locale="ar"></connect-donate>`,
    );
    await donor.fillAndSubmit();
    await donor.waitFor('.thank-you');
    const { body, documentElement } = await printed(donor);
    expect(documentElement.lang).to.equal('ar');
    const last = body.lastElementChild!;
    expect(last.matches(':dir(rtl)')).to.equal(true);
  });
});

describe('the heading of the thank-you page', () => {
  for (const name of ['Dr. Maya Lindqvist', 'Mrs Lindqvist', 'The Lindqvist Family']) {
    it(`does not address the donor by a title: ${name}`, async () => {
      const donor = await Donor.open();
      await donor.fill();
      donor.type('name', name);
      donor.submit();
      await donor.waitFor('.thank-you');
      expect(donor.find('#title')).to.have.trimmed.text('Thank you');
    });
  }
});
