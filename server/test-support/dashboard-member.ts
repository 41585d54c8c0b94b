/** Simulates a member of a demo organization in a browser without scripts. */
export class Member {
  readonly #api: string;
  readonly #cookies = new Map<string, string>();

  constructor(api: string) {
    this.#api = api;
  }

  /** Signs in, approves the app for the organization, and returns the URL of the final redirect. */
  async approve(authorizeUrl: string, organization: string, decision = 'approve'): Promise<URL> {
    const signIn = await this.#open(authorizeUrl);
    const next = signIn.searchParams.get('next') ?? '';
    const fields = { email: 'owner@harborstreet.example', password: 'harbor-street-demo', next };
    const consent = await this.send('/sign-in', fields);
    return await this.send(consent.pathname, { organization, decision });
  }

  /** Disconnects the only connected app. */
  async disconnect(organization: string): Promise<void> {
    const path = `/dashboard/${organization}/connected-apps`;
    const cookie = this.#cookieHeader();
    const page = await (await fetch(this.#api + path, { headers: { cookie } })).text();
    await this.send(/href="([^"]*\/revoke)"/.exec(page)?.[1] ?? '', {});
  }

  send(path: string, fields: Record<string, string>): Promise<URL> {
    const init = { method: 'POST', body: new URLSearchParams(fields) };
    return this.#open(this.#api + path, init);
  }

  #cookieHeader = () => [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  /** Follows redirects within the API's origin. */
  async #open(address: string, init: RequestInit = {}): Promise<URL> {
    const headers = { cookie: this.#cookieHeader() };
    const response = await fetch(address, { ...init, headers, redirect: 'manual' });
    await response.body?.cancel();
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (!location) return new URL(address);
    const next = new URL(location, address);
    return next.origin === new URL(this.#api).origin ? await this.#open(next.href) : next;
  }
}
