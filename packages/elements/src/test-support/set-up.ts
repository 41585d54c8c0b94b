/**
 * Set-up of element tests: importing this module gives each test a new fake server and a new fake
 * Stripe, and resets the page and its storage afterwards.
 */
import { releaseLocks } from './release-locks.ts';
import { FakeServer } from './server.ts';
import { FakeStripe } from './fake-stripe.ts';

export let server: FakeServer;
export let stripe: FakeStripe;

const address = location.href;

beforeEach(() => {
  server = new FakeServer();
  stripe = new FakeStripe();
});

afterEach(async () => {
  server.restore();
  stripe.restore();
  for (const name of ['onLine', 'share', 'clipboard']) Reflect.deleteProperty(navigator, name);
  Reflect.deleteProperty(window, 'turnstile');
  document.documentElement.removeAttribute('lang');
  history.replaceState(null, '', address);
  await releaseLocks();
});
