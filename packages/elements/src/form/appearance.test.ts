import { expect, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../define.ts';
import type { ConnectDonate } from '../connect-donate.ts';
import { Donor } from '../test-support/donor.ts';
import { SERVER } from '../test-support/server.ts';
import { stripe } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

afterEach(() => {
  document.documentElement.removeAttribute('style');
  document.documentElement.removeAttribute('class');
});

const FORM = html`<connect-donate server=${SERVER}></connect-donate>`;
const latest = () => JSON.stringify(stripe.updates.at(-1) ?? {});

describe('appearance of a form', () => {
  it('form and card fields follow a page that becomes dark by its own style sheet', async () => {
    const donor = await Donor.open(html`
      <style>
        :root.night {
          color-scheme: dark;
          --connect-color-danger: rgb(250, 120, 0);
        }
      </style>
      ${FORM}
    `);
    await donor.fill();
    document.documentElement.className = 'night';
    await waitUntil(() => latest().includes('rgb(23, 27, 31)'), 'the fields are dark');
    expect(latest()).to.contain('rgb(250, 120, 0)');
    document.documentElement.className = '';
    await waitUntil(() => latest().includes('rgb(255, 255, 255)'), 'the fields are light again');
  });

  it('text fields have the font and the text color of the form', async () => {
    const { element } = await Donor.open(html`
      <style>
        :root {
          --connect-font-family: Georgia;
          --connect-color-text: rgb(10, 20, 30);
        }
      </style>
      ${FORM}
    `);
    const fields = element.shadowRoot!.querySelectorAll('.control > input');
    expect(fields.length).to.be.above(2);
    for (const field of fields) {
      const { fontFamily, color } = getComputedStyle(field);
      expect([fontFamily, color]).to.deep.equal(['Georgia', 'rgb(10, 20, 30)']);
    }
  });

  it('form and card fields follow the visitor’s system', async () => {
    await emulateMedia({ colorScheme: 'light' });
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} theme="auto"></connect-donate>`,
    );
    await donor.fill();
    await emulateMedia({ colorScheme: 'dark' });
    await waitUntil(() => latest().includes('rgb(23, 27, 31)'), 'the fields are dark');
    await emulateMedia({ colorScheme: 'light' });
    await waitUntil(() => latest().includes('rgb(255, 255, 255)'), 'the fields are light again');
  });

  for (const [method, dark, turn] of [
    [
      'a class',
      ':root.dark body',
      (on: boolean) => (document.documentElement.className = on ? 'dark' : ''),
    ],
    [
      'an attribute',
      ':root[data-theme=dark] body',
      (on: boolean) =>
        document.documentElement.toggleAttribute('data-theme') &&
        on &&
        document.documentElement.setAttribute('data-theme', 'dark'),
    ],
    [
      'an attribute of the body',
      'body[data-bs-theme=dark]',
      (on: boolean) => document.body.setAttribute('data-bs-theme', on ? 'dark' : 'light'),
    ],
  ] as const) {
    it(`theme="auto" follows the page's own dark mode, by ${method}, against the visitor's system`, async () => {
      await emulateMedia({ colorScheme: 'light' });
      turn(true);
      const donor = await Donor.open(html`
        <style>
          body {
            background: oklch(0.98 0 0);
          }
          ${dark} {
            background: #101418;
            transition: background-color 50ms;
          }
        </style>
        <connect-donate server=${SERVER} theme="auto"></connect-donate>
      `);
      const scheme = () => getComputedStyle(donor.find('.frame')!).colorScheme;
      await waitUntil(() => scheme() === 'dark', 'dark');
      await donor.fill();
      turn(false);
      await emulateMedia({ colorScheme: 'dark' });
      await waitUntil(() => scheme() === 'light', 'light, although the system is dark');
      await waitUntil(() => latest().includes('rgb(255, 255, 255)'), 'the fields are light');
      turn(true);
      await emulateMedia({ colorScheme: 'light' });
      await waitUntil(() => scheme() === 'dark', 'dark again');
      await waitUntil(() => latest().includes('rgb(23, 27, 31)'), 'the fields are dark');
      donor.element.theme = 'light';
      await waitUntil(() => scheme() === 'light', 'its owner’s word comes first');
      document.documentElement.removeAttribute('data-theme');
      document.body.removeAttribute('data-bs-theme');
    });
  }

  it('passes a font of the page’s style sheet and corners of the appearance property to the card fields', async () => {
    const donor = await Donor.open(FORM);
    await donor.fill();
    document.documentElement.style.setProperty('--connect-font-family', 'fantasy');
    await waitUntil(() => latest().includes('fantasy'), 'the font of the page’s own style sheet');
    donor.element.appearance = { variables: { borderRadius: '3px' } };
    await waitUntil(() => latest().includes('"3px"'), 'the corners of its script');
  });

  it('applies changes made while the dialog was closed when it opens', async () => {
    const donor = await Donor.render(
      html`<connect-donate server=${SERVER} form="gala" display="modal"></connect-donate>`,
    );
    await donor.element.open();
    await donor.whenDrawn();
    await donor.fill();
    donor.element.close();
    await waitUntil(() => !donor.find('h2')!.checkVisibility(), 'closed');
    document.documentElement.style.setProperty('--connect-color-primary', 'rgb(1, 2, 3)');
    await donor.element.open();
    await waitUntil(() => latest().includes('rgb(1, 2, 3)'), 'the fields follow');
  });

  it('ignores invalid values with a warning and applies the others', async () => {
    const warn = console.warn;
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    const variables = {
      colorPrimary: 'brandish',
      colorText: 'rgb(9, 9, 90)',
      colorDanger: undefined,
      borderRadius: '4',
      spacingUnit: 'wide',
    } as unknown as Record<'colorText', string>;
    const appearance = { variables, rules: {}, theme: 'dark' as 'night' };
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} .appearance=${appearance}></connect-donate>`,
    );
    await donor.waitForText('Give $50');
    await waitUntil(() => warnings.length === 5, 'every warning is logged');
    console.warn = warn;
    expect(warnings).to.deep.equal([
      '<connect-donate> appearance.rules: unknown property.',
      '<connect-donate> appearance.theme: "dark" must be one of stripe, night, flat.',
      '<connect-donate> appearance.variables.colorPrimary: "brandish" is not a valid color.',
      '<connect-donate> appearance.variables.borderRadius: "4" is not a valid border-radius.',
      '<connect-donate> appearance.variables.spacingUnit: "wide" is not a valid outline-offset.',
    ]);
    const button = getComputedStyle(donor.find('.primary')!);
    expect(button.backgroundColor).to.equal('rgb(11, 107, 91)');
    expect(button.borderRadius).to.equal('10px');
    expect(getComputedStyle(donor.find('h2')!).color).to.equal('rgb(9, 9, 90)');
  });

  it('accepts an appearance without variables', async () => {
    const appearance = { theme: 'night', variables: null } as unknown as NonNullable<
      ConnectDonate['appearance']
    >;
    const donor = await Donor.open(
      html`<connect-donate server=${SERVER} .appearance=${appearance}></connect-donate>`,
    );
    const scheme = () => getComputedStyle(donor.element).colorScheme;
    await waitUntil(() => scheme() === 'dark', 'the form is dark');
  });
});
