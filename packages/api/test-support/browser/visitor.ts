import { DEMO_PASSWORD } from '../../src/users/demo-people.ts';
import { readDocument } from './read-document.ts';

/** The page after all redirects. If the last redirect leads to another site, `url` is its URL. */
export interface PageResponse {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed page. */
  document: Document;
}

/**
 * Simulates a browser without JavaScript, which stores cookies, follows redirects within the service
 * and submits forms.
 */
export class Visitor {
  readonly #baseUrl: string;
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  open(url: string, headers: Record<string, string> = {}): Promise<PageResponse> {
    return this.#go(new URL(url, this.#baseUrl), { method: 'GET', headers });
  }

  /** Submits the form with this `action`, including its hidden fields, as a browser does. */
  async send(
    page: PageResponse,
    path: string,
    fields: Record<string, string>,
  ): Promise<PageResponse> {
    const form = findForm(page.document, path);
    if (!form) throw new Error(`No form for ${path} in ${page.url.href}:\n${page.text}`);
    return await this.post(path, { ...hiddenFields(form), ...fields });
  }

  post(
    path: string,
    fields: Record<string, string> | URLSearchParams | FormData,
    headers: Record<string, string> = {},
  ) {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    const origin = { origin: this.#baseUrl, 'sec-fetch-site': 'same-origin' };
    return this.#go(new URL(path, this.#baseUrl), {
      method: 'POST',
      body,
      headers: { ...origin, ...headers },
    });
  }

  /** Opens a page and signs in if it redirects to the sign-in page. */
  async openAs(email: string, url: string): Promise<PageResponse> {
    const page = await this.open(url);
    if (page.url.pathname !== '/sign-in') return page;
    return await this.send(page, '/sign-in', { email, password: DEMO_PASSWORD });
  }

  #headersOf(url: URL, given?: HeadersInit): Headers {
    const headers = new Headers(given);
    const matching = [...this.#cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    headers.set('cookie', matching.map(([name, { value }]) => `${name}=${value}`).join('; '));
    return headers;
  }

  async #go(url: URL, init: RequestInit): Promise<PageResponse> {
    const headers = this.#headersOf(url, init.headers);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const location = response.headers.get('location');
    const next = location && new URL(location, url);
    if (next && next.origin === new URL(this.#baseUrl).origin) {
      return await this.#go(next, { method: 'GET' });
    }
    const text = await response.text();
    const { status } = response;
    let parsed: Document | undefined;
    return {
      url: next || url,
      status,
      headers: response.headers,
      text,
      get document() {
        return (parsed ??= readDocument(text));
      },
    };
  }

  #keep(cookie: string): void {
    const [nameAndValue = '', ...attributes] = cookie.split(/; */);
    const at = nameAndValue.indexOf('=');
    const name = nameAndValue.slice(0, at);
    const value = nameAndValue.slice(at + 1);
    const read = (key: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    const isExpired = read('max-age') === '0' || Date.parse(read('expires') ?? '') <= Date.now();
    if (isExpired || !value) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path: read('path') ?? '/' });
  }
}

const findForm = (page: Document, path: string) =>
  [...page.querySelectorAll('form')].find((form) => form.getAttribute('action') === path);

const hiddenFields = (form: HTMLFormElement) =>
  Object.fromEntries(
    [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')].map(({ name, value }) => [
      name,
      value,
    ]),
  );
