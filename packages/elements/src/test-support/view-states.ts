import type { CaptchaApi } from '../form/captcha-provider.ts';
import type { Donor } from './donor.ts';
import {
  campaignProgress,
  embedForm,
  errorResponse,
  fullTerms,
  impactOf,
  jsonResponse,
  LOGO,
  neverResolves,
} from './server.ts';
import { server, stripe } from './set-up.ts';
import { declined, paid } from './fake-stripe.ts';
import { waitUntil } from './wait-until.ts';

interface StateSetup {
  /** Prepares the fake server and Stripe before the page is opened. */
  before?: () => void;
  reach: (donor: Donor) => Promise<void>;
}

/** Every view state of the form, with the steps that lead to it. */
export const VIEW_STATES: Readonly<Record<string, StateSetup>> = {
  loading: {
    before: () => server.on('/embed-form', neverResolves),
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
  'form with a goal': {
    before: () => {
      server.setForm({ terms: fullTerms({ campaign_id: 'camp_winter', show_goal: true }) });
      server.on('/campaigns/camp_winter/progress', () => jsonResponse(campaignProgress()));
    },
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.find('[part=goal]')!.scrollIntoView(); // A goal that cannot be seen requests nothing.
      const goal = () => donor.find('connect-goal')?.shadowRoot?.querySelector('.frame');
      await waitUntil(() => goal()?.ariaBusy === 'false', 'the goal is drawn');
    },
  },
  'mistyped email address': {
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.type('email', 'maya@gmial.com');
      await donor.waitFor('.payment-fields:not(.waiting)');
      donor.find('#email')!.dispatchEvent(new Event('change', { bubbles: true }));
      await donor.waitFor('#email-suggestion');
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
  'waiting in line': {
    before: () =>
      server.on('/payment-intents', () =>
        // So long that the position does not change while it is looked at.
        errorResponse('rate_limited', 'busy', 3600, { code: 'processor_busy', queue_position: 12 }),
      ),
    reach: async (donor) => {
      await donor.whenDrawn();
      await donor.fillAndSubmit();
      await donor.waitFor('#banner');
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
      await donor.waitFor('.payment-error');
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
  'thank-you page with every detail': {
    before: () => {
      server.setForm({
        terms: fullTerms({ fee_cover: 'preselected' }),
        organization: { ...embedForm().organization, logo_url: LOGO },
        presentation: impactOf({ 5000: 'a week of school lunches' }),
      });
      stripe.confirm = () => paid(5181);
    },
    reach: async (donor) => {
      await donor.whenDrawn();
      donor.find('summary')!.click();
      donor.type('dedication', 'Grandma Ruth');
      await donor.fillAndSubmit();
      await donor.waitFor('.thank-you');
      await donor.find<HTMLImageElement>('.logo')!.decode();
    },
  },
  'thank-you page with a link to copy': {
    before: () => {
      Object.defineProperty(navigator, 'share', { value: undefined, configurable: true });
      const writeText = () => Promise.reject(new Error('not allowed'));
      Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    },
    reach: async (donor) => {
      await donor.whenDrawn();
      await donor.fillAndSubmit();
      await donor.waitFor('.thank-you');
      donor.find('.thank-you .primary')!.click();
      await donor.waitFor('#link');
    },
  },
  'locked amounts': {
    before: () => server.setForm({ terms: fullTerms({ amount_locked: true }) }),
    reach: (donor) => donor.whenDrawn(),
  },
  'load error': {
    before: () => server.on('/embed-form', () => errorResponse('not_found', 'No form gala.')),
    reach: (donor) => donor.waitFor('.message'),
  },
  offline: {
    reach: async (donor) => {
      await donor.whenDrawn();
      goOffline();
      server.on('/payment-intents', () => undefined);
      await donor.fillAndSubmit();
      await donor.waitFor('.banner.error');
    },
  },
  'load error while offline': {
    before: () => {
      goOffline();
      server.on('/embed-form', () => undefined);
    },
    reach: (donor) => donor.waitFor('.message'),
  },
  captcha: {
    before: () => requireCaptcha(() => {}),
    reach: async (donor) => {
      await donor.whenDrawn();
      await donor.fillAndSubmit();
      await donor.waitFor('#banner');
      await waitUntil(() => document.querySelector('.captcha-widget'), 'the widget');
    },
  },
  'failed captcha': {
    before: () => requireCaptcha((fail) => fail('600010')),
    reach: async (donor) => {
      await donor.whenDrawn();
      await donor.fillAndSubmit();
      await donor.waitFor('#banner a');
    },
  },
};

/** Until the end of the test, which `set-up.ts` restores. */
function goOffline(): void {
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  window.dispatchEvent(new Event('offline'));
}

/** Makes the server require a third party's CAPTCHA, with a widget that is a button. */
function requireCaptcha(onRendered: (fail: (code: string) => void) => void): void {
  server.on('/payment-intents', () => jsonResponse({ kind: 'turnstile', site_key: 'site-key' }));
  const api: CaptchaApi = {
    render(container, options) {
      const widget = document.createElement('button');
      widget.className = 'captcha-widget';
      widget.textContent = 'Verify';
      container.append(widget);
      onRendered(options['error-callback'] as (code: string) => void);
      return 'widget-1';
    },
    reset() {},
    remove: () => document.querySelector('.captcha-widget')?.remove(),
  };
  Object.assign(window, { turnstile: api });
}
