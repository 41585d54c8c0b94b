/**
 * What a test of an element stands on, anew for each: a server and a processor that answer as they
 * should, and afterwards a browser in which nobody has been. Whoever imports this has it.
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
  document.documentElement.removeAttribute('lang');
  history.replaceState(null, '', address);
  await releaseLocks();
});
