import type { Donor } from './donor.ts';
import { never, problem } from './server.ts';
import { server, stripe } from './set-up.ts';
import { declined } from './stripe.ts';
import { waitUntil } from './wait-until.ts';

interface FaceOfForm {
  /** What must be so before the page is opened. */
  before?: () => void;
  reach: (donor: Donor) => Promise<void>;
}

/** Every face of the form, and how a donor comes to it. */
export const FACES: Readonly<Record<string, FaceOfForm>> = {
  'the form on its way': {
    before: () => server.on('/embed-sessions', never),
    reach: (donor) => donor.shows('.ghost'),
  },
  'the form': { reach: (donor) => donor.drawn() },
  'the form, all unfolded, with a card': {
    reach: async (donor) => {
      await donor.drawn();
      donor.choose('quarterly');
      donor.find('summary')!.click();
      await donor.fill();
    },
  },
  problems: {
    reach: async (donor) => {
      await donor.drawn();
      donor.type('other', '1');
      donor.press();
      await donor.shows('#notice');
    },
  },
  'a gift under way': {
    before: () => (stripe.confirm = never),
    reach: async (donor) => {
      await donor.drawn();
      await donor.give();
      await donor.shows('.spinner');
      // By then all that the tab keeps of it is written, and nothing comes into the next test.
      await waitUntil(() => stripe.confirmed.length, 'the processor is asked');
    },
  },
  'a refused card': {
    before: () => (stripe.confirm = () => declined('authentication_required')),
    reach: async (donor) => {
      await donor.drawn();
      await donor.give();
      await donor.shows('#notice');
    },
  },
  'a blocked card form': {
    before: () => stripe.restore(),
    reach: async (donor) => {
      await donor.drawn();
      donor.type('name', 'M');
      await donor.shows('.blocked');
    },
  },
  'the thank-you': {
    reach: async (donor) => {
      await donor.drawn();
      donor.choose('monthly');
      await donor.give();
      await donor.shows('.thanks');
    },
  },
  'a form that cannot be had': {
    before: () => server.on('/embed-sessions', () => problem('not_found', 'No form gala.')),
    reach: (donor) => donor.shows('.message'),
  },
};
