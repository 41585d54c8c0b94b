import type { Donor } from './donor.ts';
import { neverResolves, errorResponse } from './server.ts';
import { server, stripe } from './set-up.ts';
import { declined } from './fake-stripe.ts';
import { waitUntil } from './wait-until.ts';

interface StateSetup {
  /** Prepares the fake server and Stripe before the page is opened. */
  before?: () => void;
  reach: (donor: Donor) => Promise<void>;
}

/** Every view state of the form, with the steps that lead to it. */
export const VIEW_STATES: Readonly<Record<string, StateSetup>> = {
  loading: {
    before: () => server.on('/embed-sessions', neverResolves),
    reach: (donor) => donor.waitFor('.skeleton'),
  },
  form: { reach: (donor) => donor.whenDrawn() },
  'form with all fields': {
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.select('quarterly');
      donor.find('summary')!.click();
      await donor.fill();
    },
  },
  'invalid fields': {
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.type('other', '1');
      donor.submit();
      await donor.waitFor('#banner');
    },
  },
  submitting: {
    before: () => (stripe.confirm = neverResolves),
    reach: async (donor) => {
      await donor.whenDrawn();
      await donor.fillAndSubmit();
      await donor.waitFor('.spinner');
      // Once the payment is confirmed, everything is written to storage, so that no late write reaches
      // the next test.
      await waitUntil(() => stripe.confirmed.length, 'the payment is confirmed');
    },
  },
  'declined card': {
    before: () => (stripe.confirm = () => declined('authentication_required')),
    reach: async (donor) => {
      await donor.whenDrawn();
      await donor.fillAndSubmit();
      await donor.waitFor('#banner');
    },
  },
  'card fields blocked': {
    before: () => stripe.restore(),
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.type('name', 'M');
      await donor.waitFor('.card-error');
    },
  },
  'thank-you page': {
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.select('monthly');
      await donor.fillAndSubmit();
      await donor.waitFor('.thank-you');
    },
  },
  'load error': {
    before: () => server.on('/embed-sessions', () => errorResponse('not_found', 'No form gala.')),
    reach: (donor) => donor.waitFor('.message'),
  },
};
