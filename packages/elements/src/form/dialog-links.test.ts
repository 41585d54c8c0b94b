import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { SERVER } from '../test-support/server.ts';
import '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const FORM = html`<connect-donate id="donate" server=${SERVER} display="modal"></connect-donate>`;
const dialogOf = (donor: Donor) => donor.find<HTMLDialogElement>('dialog');
const isOpen = (donor: Donor) => waitUntil(() => dialogOf(donor)?.open, 'the dialog is open');

describe('a link of the page to a form in a dialog', () => {
  it('opens the dialog, also with an absolute URL', async () => {
    const here = location.href.split('#')[0];
    const donor = await Donor.render(html`<a href="${here}#donate">Donate</a>${FORM}`);
    await waitUntil(() => donor.element.shadowRoot!.adoptedStyleSheets.length > 4, 'ready to open');
    document.querySelector<HTMLElement>('a[href$="#donate"]')!.click();
    await isOpen(donor);
    expect(location.hash).to.equal('');
  });

  it('scrolls to the form once it is inline', async () => {
    const donor = await Donor.render(FORM);
    await donor.element.open();
    donor.element.removeAttribute('display');
    await waitUntil(() => !dialogOf(donor), 'in the page');
    const link = Object.assign(document.createElement('a'), { href: '#donate' });
    donor.element.after(link);
    expect(await isHandledByScript(link)).to.equal(false);
  });

  for (const [method, keys, target] of [
    ['with Ctrl', { ctrlKey: true }, ''],
    ['with Command', { metaKey: true }, ''],
    ['with Shift', { shiftKey: true }, ''],
    ['with a target', {}, '_blank'],
  ] as const) {
    it(`opens another tab when clicked ${method}`, async () => {
      const donor = await Donor.render(FORM);
      await donor.element.open();
      donor.element.close();
      const link = Object.assign(document.createElement('a'), { href: '#donate', target });
      donor.element.after(link);
      expect(await isHandledByScript(link, keys)).to.equal(false);
      link.setAttribute('target', '_self');
      expect(await isHandledByScript(link)).to.equal(true);
    });
  }
});

/** Whether a click on a link is handled by a script instead of the browser. */
async function isHandledByScript(link: HTMLElement, keys: MouseEventInit = {}) {
  const isPrevented = new Promise<boolean>((resolve) =>
    addEventListener(
      'click',
      (event) => (resolve(event.defaultPrevented), event.preventDefault()),
      {
        once: true,
      },
    ),
  );
  link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...keys }));
  return isPrevented;
}
