import { expect, html } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { SERVER } from './test-support/server.ts';
import './test-support/set-up.ts';
import { waitUntil } from './test-support/wait-until.ts';

const FORM = html`<connect-donate id="donate" server=${SERVER} display="modal"></connect-donate>`;
const dialogOf = (donor: Donor) => donor.find<HTMLDialogElement>('dialog');
const isOpen = (donor: Donor) => waitUntil(() => dialogOf(donor)?.open, 'the dialog is open');

describe('a link of the page to a form that stands apart', () => {
  it('opens it, also by the whole address of its page', async () => {
    const here = location.href.split('#')[0];
    const donor = await Donor.visit(html`<a href="${here}#donate">Donate</a>${FORM}`);
    await waitUntil(() => donor.element.shadowRoot!.adoptedStyleSheets.length > 4, 'ready to open');
    document.querySelector<HTMLElement>('a[href$="#donate"]')!.click();
    await isOpen(donor);
    expect(location.hash).to.equal('');
  });

  it('leads to it once the page has put it into itself', async () => {
    const donor = await Donor.visit(FORM);
    await donor.element.open();
    donor.element.removeAttribute('display');
    await waitUntil(() => !dialogOf(donor), 'in the page');
    const link = Object.assign(document.createElement('a'), { href: '#donate' });
    donor.element.after(link);
    const press = new MouseEvent('click', { bubbles: true, cancelable: true });
    const held = new Promise<boolean>((resolve) =>
      addEventListener(
        'click',
        (event) => (resolve(event.defaultPrevented), event.preventDefault()),
        { once: true },
      ),
    );
    link.dispatchEvent(press);
    expect(await held).to.equal(false);
  });
});
