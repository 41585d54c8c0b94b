/**
 * A page with the simulated card fields and a strict content security policy, in a real browser.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Browser, type Page, chromium } from 'playwright';
import { ACCOUNT, createClient, startTestSandbox } from './start-sandbox.ts';

export const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';
const LOADER = readFileSync(fileURLToPath(import.meta.resolve('@stripe/stripe-js/dist/pure.mjs')));

/** Reason for skipping the browser tests of a file, or `false`. `npm test` provides a browser. */
export const skip = existsSync(CHROME) ? false : 'no browser: set CHROME_PATH';

type Outcome = {
  selectedPaymentMethod?: string;
  paymentIntent?: { id: string; status: string };
  setupIntent?: { id: string; status: string };
  error?: { type: string; code?: string; message: string; payment_intent?: { status: string } };
};

type Element = {
  on(name: string, handler: (event: object) => void): void;
  mount(target: unknown): void;
  unmount(): void;
  focus(): void;
  destroy(): void;
};

/** Objects that the test page stores in `window`. */
export type PageKit = {
  events: [
    string,
    { complete?: boolean; empty?: boolean; elementType?: string; value?: { type: string } },
  ][];
  element: Element;
  elements: {
    submit(): Promise<Outcome>;
    update(options: object): Promise<void>;
    create(type: string, options?: object): Element;
  };
  stripe: {
    elements(options: object): PageKit['elements'];
    confirmPayment(options: object): Promise<Outcome>;
    confirmSetup(options: object): Promise<Outcome>;
    retrievePaymentIntent(secret: string): Promise<Outcome>;
  };
  result: Promise<Outcome>;
};

export type StripeFunction = ((key: string, options?: object) => PageKit['stripe']) & {
  version: string;
};

declare const kit: PageKit;

/**
 * The content security policy of the page. It forbids eval, inline scripts and styles, and scripts
 * made from strings (Trusted Types).
 */
const policy = (sandbox: string) =>
  `default-src 'none'; style-src 'self'; script-src 'self' ${sandbox}; frame-src ${sandbox}; connect-src ${sandbox}; require-trusted-types-for 'script'; trusted-types 'none'`;

const html = (sandbox: string) =>
  `<!doctype html><html lang="en"><title>Give</title><script src="${sandbox}/stripe.js"></script><form><div id="card"></div><button type="button">Give</button></form><div id="other"></div>`;

/** Serves the nonprofit's site: one page, and the official loader of Stripe.js. */
function openSite(sandbox: string) {
  const site = createServer((request, response) => {
    const isLoader = request.url === '/loader.mjs';
    response.setHeader('content-type', isLoader ? 'text/javascript' : 'text/html');
    response.setHeader('content-security-policy', policy(sandbox));
    response.end(isLoader ? LOADER : html(sandbox));
  });
  after(() => void site.close().closeAllConnections());
  return new Promise<string>((resolve) => {
    site.listen(0, '127.0.0.1', () =>
      resolve(`http://localhost:${(site.address() as AddressInfo).port}`),
    );
  });
}

/**
 * Opens a browser and returns helpers for tests of the browser scripts; call it inside `describe`.
 */
export async function openBrowser() {
  const { url } = await startTestSandbox();
  const stripe = createClient(url);
  const site = await openSite(url);
  const problems: string[] = [];
  let browser: Browser;
  let page: Page;

  before(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    browser = await chromium.launch({ executablePath: CHROME, args });
  });
  after(() => browser.close());

  const card = () => page.frameLocator('iframe[title="Secure payment input frame"]');
  const field = (label: string) => card().getByLabel(label, { exact: true });

  return {
    url,
    stripe,
    problems,
    card,
    field,
    get page() {
      return page;
    },
    dialog: () => page.frameLocator('iframe[title="Authentication"]'),
    /** Creates an intent with the amount of the elements. */
    createIntent: () => stripe.paymentIntents.create({ amount: 5000, currency: 'usd' }),
    /** Opens a new page with mounted card fields. */
    openPage: async (appearance: object = {}) => {
      page = await browser.newPage();
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        // A declined card is a 402, which the browser logs as an error.
        const isProblem = message.type() === 'error' && !message.text().includes('402');
        if (isProblem) problems.push(message.text());
      });
      await page.goto(site);
      await page.evaluate(mountFields, [ACCOUNT, appearance] as const);
      await field('Card number').waitFor();
    },
    type: async (number: string, expiry = '12 / 40', cvc = '123') => {
      await field('Card number').fill(number);
      await field('Expiration date').fill(expiry);
      await field('Security code').fill(cvc);
    },
    submit: () => page.evaluate(() => kit.elements.submit()),
    /** Starts the confirmation; `result` returns its outcome. */
    confirm: ({ client_secret }: { client_secret: string | null }) =>
      page.evaluate((clientSecret) => {
        kit.result = kit.stripe.confirmPayment({
          elements: kit.elements,
          clientSecret,
          redirect: 'if_required',
          confirmParams: {
            payment_method_data: { billing_details: { name: 'Ada', email: 'ada@example.org' } },
          },
        });
      }, client_secret),
    result: () => page.evaluate(() => kit.result),
  };
}

/** Mounts the card fields. This function runs in the page, like code of the page's author. */
function mountFields([stripeAccount, appearance]: readonly [string, object]) {
  const { Stripe } = window as unknown as { Stripe: StripeFunction };
  const events: PageKit['events'] = [];
  const stripe = Stripe('pk_test_sandbox', { stripeAccount });
  const options = { mode: 'payment', amount: 5000, currency: 'usd', appearance };
  const elements = stripe.elements(options);
  const element = elements.create('payment');
  for (const name of ['ready', 'change', 'loaderror']) {
    element.on(name, (event) => events.push([name, event]));
  }
  element.mount('#card');
  Object.assign(window, { kit: { events, element, elements, stripe } });
}
