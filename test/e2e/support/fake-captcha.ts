import type { Page, Route } from 'playwright/test';

export type Provider = 'turnstile' | 'hcaptcha';

const SITE_KEY = 'site-key-of-this-test';
/** Script hosts as documented by the providers. */
const HOSTS = { turnstile: 'challenges.cloudflare.com', hcaptcha: 'js.hcaptcha.com' } as const;

/**
 * Fakes a provider's script by its documentation: it calls the function named in its URL once it
 * has loaded, renders into an element of the page, and passes each token, error and expiry to the
 * callbacks. Buttons trigger what the visitor or a timeout does in the real widget.
 */
const scriptOf = (provider: Provider) => `(() => {
  const onload = new URL(document.currentScript.src).searchParams.get('onload');
  const widgets = new Map();
  const button = (place, name, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = name;
    made.onclick = act;
    place.append(made);
  };
  window['${provider}'] = {
    render(place, options) {
      if (!(place instanceof HTMLElement) || !document.contains(place)) throw new Error('no place');
      if (options.sitekey !== '${SITE_KEY}') throw new Error('no site key');
      const id = 'widget-' + widgets.size;
      widgets.set(id, place);
      button(place, 'I am a person', () => options.callback('token-' + crypto.randomUUID()));
      button(place, 'Run out', options['${provider === 'turnstile' ? 'timeout' : 'chalexpired'}-callback']);
      button(place, 'Fail', () => options['error-callback']('600010'));
      return id;
    },
    reset(id) { if (!widgets.has(id)) throw new Error('no widget'); },
    remove(id) { widgets.get(id).replaceChildren(); widgets.delete(id); },
  };
  setTimeout(() => window[onload]());
})();`;

/**
 * Fakes a CAPTCHA provider, and a server that requires a CAPTCHA before each donation. The real server receives
 * donations without a proof. Each comes from an address of its own, because the API accepts only 20 cards
 * of an address without one.
 */
export class FakeCaptcha {
  readonly host: string;
  blocked = false;
  /** Proofs in donation requests, in order. */
  readonly proofs: string[] = [];
  readonly #provider: Provider;

  constructor(provider: Provider) {
    this.#provider = provider;
    this.host = HOSTS[provider];
  }

  async install(page: Page, server: string) {
    await page.route(`https://${this.host}/**`, (route) =>
      this.blocked
        ? route.abort('blockedbyclient')
        : route.fulfill({ contentType: 'text/javascript', body: scriptOf(this.#provider) }),
    );
    await page.route(`${server}/challenges`, (route) =>
      respond(route, 201, { kind: this.#provider, site_key: SITE_KEY }),
    );
    await page.route(`${server}/payment-intents`, (route) => this.#handleDonation(route));
  }

  /** Responds 428 without a proof; with one the request goes to the real server. */
  #handleDonation(route: Route) {
    const request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    const { proof, ...headers } = request.headers();
    if (proof) {
      this.proofs.push(proof);
      return route.continue({ headers: { ...headers, 'x-forwarded-for': newAddress() } });
    }
    return respond(route, 200, { kind: this.#provider, site_key: SITE_KEY });
  }
}

/** An IPv6 address in a network that no other donation comes from. */
const newAddress = () =>
  `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`;

async function respond(route: Route, status: number, body: object) {
  const request = route.request();
  if (request.method() !== 'POST') return route.fallback();
  const { origin = '' } = request.headers();
  const headers = { 'access-control-allow-origin': origin };
  return route.fulfill({ status, json: body, headers });
}
