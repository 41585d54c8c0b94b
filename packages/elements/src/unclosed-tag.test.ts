import { expect, fixture } from '@open-wc/testing';
import './define.ts';
import { Donor } from './test-support/donor.ts';
import { SERVER } from './test-support/server.ts';
import { server } from './test-support/set-up.ts';
import { waitUntil } from './test-support/wait-until.ts';
import { recordWarnings } from './test-support/warnings.ts';

const warnings = recordWarnings();

const isVisible = (page: Element, selector: string) =>
  page.querySelector(selector)!.getBoundingClientRect().height > 0;

describe('a tag that is closed with a slash', () => {
  for (const tag of [
    'connect-donate',
    'connect-goal',
    'connect-donations',
    'connect-donors',
    'connect-payouts',
    'connect-donation-details',
    'connect-payout-details',
  ]) {
    for (const [layout, rest] of [
      ['lines', '\n<p id="rest">The rest of the page</p>\n<a href="#x">More</a>\n'],
      ['one line', '<p id="rest">The rest</p><footer>Imprint</footer>'],
    ] as const) {
      it(`keeps the page of ${layout} after <${tag} /> visible, and says so`, async () => {
        const page = await fixture(`<main><${tag} server="${SERVER}" />${rest}</main>`);
        const element = page.querySelector(tag)!;
        await waitUntil(() => isVisible(page, '#rest'), 'the rest of the page is visible');
        expect(page.querySelector('#rest')!.parentElement).to.equal(page);
        expect(element.textContent).to.equal('');
        expect(warnings).to.include(
          `<${tag} /> is not closed, so it contained what follows it. Write <${tag}></${tag}>.`,
        );
      });
    }
  }

  it('keeps the page after two of them visible', async () => {
    const page = await fixture(
      `<main><connect-donate server="${SERVER}" />
      <connect-goal server="${SERVER}" campaign="camp_winter" />
      <p id="rest">The rest</p>
      </main>`,
    );
    await waitUntil(() => isVisible(page, '#rest'), 'the rest of the page is visible');
    expect(warnings.filter((text) => text.includes('not closed'))).to.have.length(2);
    await new Donor(page.querySelector('connect-donate')!).whenDrawn();
  });

  it('is recognized in a page to which scripts have appended elements', async () => {
    const page = await fixture(
      `<main>
<connect-donate server="${SERVER}"><p id="rest">The rest</p>\n</connect-donate><script type="text/plain"></script></main>`,
    );
    await waitUntil(() => isVisible(page, '#rest'), 'the rest of the page is visible');
  });
});

describe('fallback content', () => {
  it('stays in a tag that a framework creates', async () => {
    const form = document.createElement('connect-donate');
    form.server = SERVER;
    form.innerHTML = '\n<section>Give here</section>\n<p>or there</p>\n';
    server.on('/embed-form', () => new Response(null, { status: 500 }));
    const page = await fixture('<main></main>');
    page.append(form);
    await new Donor(form).waitFor('[role=alert]');
    expect(form.querySelector('section')).not.to.equal(null);
    expect(warnings.filter((text) => text.includes('not closed'))).to.deep.equal([]);
  });

  for (const [description, html] of [
    ['on lines of its own', '\n<a id="fallback" href="#give">Give here</a>\n</connect-donate>\n'],
    [
      'without spaces around it',
      '\n<a id="fallback" href="#give">Give here</a>\n</connect-donate>',
    ],
    ['on one line', '<a id="fallback" href="#give">Give here</a></connect-donate>'],
    ['before other content', '<p id="fallback">Give here</p>\n</connect-donate><p>More</p>'],
    ['of text', 'Give here\n</connect-donate>'],
  ] as const) {
    it(`stays in the tag ${description}`, async () => {
      server.on('/embed-form', () => new Response(null, { status: 500 }));
      const page = await fixture(`<main><connect-donate server="${SERVER}">${html}</main>`);
      const form = page.querySelector('connect-donate')!;
      await new Donor(form).waitFor('[role=alert]');
      expect(form.textContent).to.include('Give here');
      expect(warnings.filter((text) => text.includes('not closed'))).to.deep.equal([]);
    });
  }
});
