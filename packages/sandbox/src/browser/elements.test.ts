/** Tests of the stand-in for Stripe.js on a page: mounting, appearance, messages, keys. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type PageKit,
  type StripeFunction,
  openBrowser,
  skip,
} from '../../test-support/card-form-page.ts';

declare const kit: PageKit;
type Loaded = { Stripe: StripeFunction };

describe('stripe.js on a page', { skip }, async () => {
  const at = await openBrowser();
  const { card, field, openPage, submit, type, url } = at;

  test('cannot be mounted in a shadow root, in a detached node or in a missing node', async () => {
    await openPage();
    const messages = await at.page.evaluate(() => {
      const attempt = (target: unknown) => {
        try {
          kit.element.mount(target);
          return 'mounted';
        } catch (error) {
          return (error as Error).message;
        }
      };
      const root = document.querySelector('#other')?.attachShadow({ mode: 'open' });
      const inside = document.createElement('div');
      root?.append(inside);
      return [inside, document.createElement('div'), '#nowhere'].map(attempt);
    });
    const shadow = 'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.';
    assert.deepEqual(messages.slice(0, 2), [shadow, shadow]);
    assert.match(messages[2] ?? '', /applies to no DOM elements/);
  });

  test('can be unmounted and mounted again', async () => {
    await openPage();
    await type('4242424242424242');
    await at.page.evaluate(() => kit.element.unmount());
    assert.equal(await at.page.locator('iframe').count(), 0);
    await assert.rejects(submit(), /still mounted/);
    await at.page.evaluate(() => kit.element.mount('#other'));
    await type('4242424242424242');
    await at.page.evaluate(() => {
      document.querySelector('#other')?.replaceChildren();
      kit.element.mount('#card');
    });
    await type('4242424242424242');
    assert.deepEqual(await submit(), { selectedPaymentMethod: 'card' });
    await at.page.evaluate(() => {
      kit.element.destroy();
      kit.elements.create('payment').mount('#card');
    });
    await field('Card number').waitFor();
  });

  test('focuses the fields', async () => {
    await openPage();
    await at.page.evaluate(() => kit.element.focus());
    await card().locator('#number:focus').waitFor();
  });

  test('applies the appearance of the page, grows with its content, and sets a color scheme', async () => {
    await openPage({
      variables: {
        colorBackground: '#101010',
        colorText: 'white',
        colorPrimary: 'url(x)',
        borderRadius: '11px',
      },
      rules: {
        '.Input': { padding: '19px' },
        '.Label': { fontWeight: '700' },
        body: { color: 'red' },
      },
    });
    const input = field('Card number');
    const style = (name: string) =>
      input.evaluate((node, key) => getComputedStyle(node).getPropertyValue(key), name);
    assert.equal(await style('background-color'), 'rgb(16, 16, 16)');
    assert.equal(await style('border-radius'), '11px');
    assert.equal(await style('--primary'), '#8fb0ff');
    assert.equal(await style('padding-block-start'), '19px');
    assert.equal(await style('color'), 'rgb(255, 255, 255)');
    const frame = at.page.locator('iframe');
    await at.page.waitForFunction(
      () => (document.querySelector('iframe')?.offsetHeight ?? 0) > 150,
    );
    assert.equal(await frame.evaluate((node) => node.style.colorScheme), 'dark');
    const before = (await frame.boundingBox())?.height ?? 0;
    await submit();
    await at.page.waitForFunction(
      (height) => (document.querySelector('iframe')?.offsetHeight ?? 0) > height,
      before,
    );
    await card().getByText('TEST').waitFor();
  });

  test('accepts messages from its own page and frame only', async () => {
    await openPage();
    const frame = at.page.frames().find((each) => each.url().startsWith(url));
    // Forged messages: from the right window with a wrong token, and from a wrong window with the
    // right token.
    await frame?.evaluate(() =>
      window.parent.postMessage({ sandbox: 'guess', name: 'change', data: {} }, '*'),
    );
    await at.page.evaluate(() => {
      const token = new URLSearchParams(
        new URL(document.querySelector('iframe')?.src ?? '').hash.slice(1),
      ).get('token');
      window.postMessage({ sandbox: token, name: 'change', data: { complete: true } }, '*');
    });
    // A message that is accepted would be an event by then.
    await at.page.waitForTimeout(100);
    assert.ok(!(await at.page.evaluate(() => kit.events)).some(([name]) => name === 'change'));
  });

  test('is found by the official loader, and does not replace an existing Stripe', async () => {
    await openPage();
    const [version, kind] = await at.page.evaluate(async () => {
      const loader = (await import(String('/loader.mjs'))) as {
        loadStripe(this: void, key: string): Promise<PageKit['stripe']>;
      };
      const stripe = await loader.loadStripe('pk_test_sandbox');
      return [(window as unknown as Loaded).Stripe.version, typeof stripe.elements];
    });
    assert.deepEqual([version, kind], ['endive', 'function']);
    await at.page.addInitScript(() =>
      Object.assign(window, { Stripe: Object.assign(() => {}, { version: 'somebody else' }) }),
    );
    await at.page.reload();
    assert.equal(
      await at.page.evaluate(() => (window as unknown as Loaded).Stripe.version),
      'somebody else',
    );
  });

  test('rejects keys of other environments', async () => {
    await openPage();
    for (const [key, expectedMessage] of [
      ['', /publishable key/],
      ['sk_test_sandbox', /secret key/],
      ['pk_live_1', /sandbox/],
    ] as const) {
      await assert.rejects(
        at.page.evaluate((each) => void (window as unknown as Loaded).Stripe(each), key),
        expectedMessage,
      );
    }
  });
});
