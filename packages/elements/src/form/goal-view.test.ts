import type { CampaignProgress } from '@connect-embed/contract';
import { expect, html } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  campaignProgress,
  donationTerms,
  errorResponse,
  jsonResponse,
  SERVER,
} from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const PATH = '/campaigns/camp_winter/progress';

const setForm = (show_goal: boolean) =>
  server.setForm({ terms: donationTerms({ campaign_id: 'camp_winter', show_goal }) });

const progress = (change: Partial<CampaignProgress> = {}) => jsonResponse(campaignProgress(change));

const open = (page = html`<connect-donate server=${SERVER}></connect-donate>`) => Donor.open(page);

const partsOf = (donor: Donor) => donor.find('header connect-goal')?.shadowRoot;
const textOf = (donor: Donor, part: string) =>
  partsOf(donor)?.querySelector(`[part=${part}]`)?.textContent;
const goalDrawn = (donor: Donor) =>
  waitUntil(() => textOf(donor, 'amount')?.trim(), 'the goal is drawn');

describe('the goal in a form', () => {
  beforeEach(() => server.on(PATH, () => progress()));

  it('shows the numbers of the goal meter in the header', async () => {
    setForm(true);
    const donor = await open();
    await goalDrawn(donor);
    expect(textOf(donor, 'amount')).to.equal('$12,340.50');
    expect(textOf(donor, 'description')).to.equal('raised of $20,000');
    expect(textOf(donor, 'percentage')).to.equal('61%');
    expect(partsOf(donor)!.querySelector('[role=meter]')!.ariaLabel).to.equal('Winter meals');
  });

  it('has the direction of the form, also on a page whose language has no translation', async () => {
    document.documentElement.dir = 'rtl';
    setForm(true);
    const donor = await open();
    await goalDrawn(donor);
    document.documentElement.removeAttribute('dir');
    expect(donor.find('connect-goal')!.dir).to.equal('rtl');
    expect(partsOf(donor)!.querySelector('[part=frame]')!.hasAttribute('dir')).to.equal(false);
  });

  it('is not loaded without the setting', async () => {
    setForm(false);
    const donor = await open();
    expect(donor.find('[part=goal]')).to.equal(null);
    expect(server.requests.filter(({ path }) => path.startsWith('/campaigns'))).to.deep.equal([]);
  });

  for (const [name, respond] of [
    ['a goal', () => progress()],
    ['no goal', () => progress({ goal_cents: null })],
    ['no answer', () => errorResponse('unavailable')],
  ] as const) {
    for (const fontSize of ['12px', '16px', '26px']) {
      it(`moves nothing in the form at ${fontSize} with ${name}`, async () => {
        setForm(true);
        server.on(PATH, respond);
        const donor = await open(
          html`<connect-donate server=${SERVER} style="font-size:${fontSize}"></connect-donate>`,
        );
        const reserved = donor.find('header')!.offsetHeight;
        await waitUntil(
          () => partsOf(donor)?.querySelector('[part=frame]')?.ariaBusy === 'false',
          'the response of the server',
        );
        expect(donor.find('header')!.offsetHeight).to.equal(reserved);
      });
    }
  }

  it('has the language of the form', async () => {
    setForm(true);
    const donor = await open(
      html`<connect-donate server=${SERVER} locale="de-AT"></connect-donate>`,
    );
    await goalDrawn(donor);
    expect(textOf(donor, 'description')).to.match(/gesammelt/);
    expect(textOf(donor, 'amount')).to.match(/12\.340,50|12\s340,50/);
  });

  it('keeps the events of the meter in the form', async () => {
    setForm(true);
    let count = 0;
    const listener = () => (count += 1);
    addEventListener('connect-ready', listener);
    const donor = await open();
    await goalDrawn(donor);
    removeEventListener('connect-ready', listener);
    expect(count).to.equal(1);
  });

  it('is that of the connected organization which the form names', async () => {
    setForm(true);
    server.on('/campaigns/org_harbor/camp_winter/progress', () => progress({ raised_cents: 100 }));
    const donor = await open(
      html`<connect-donate server=${SERVER} form="org_harbor/spring"></connect-donate>`,
    );
    await goalDrawn(donor);
    expect(textOf(donor, 'amount')).to.equal('$1');
  });
});
