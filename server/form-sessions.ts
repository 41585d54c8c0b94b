import {
  ConnectError,
  EmbedForm,
  EmbedSession,
  MAX_SITE_ORIGINS,
  SiteOrigin,
} from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import type { OrganizationLists } from './organization-lists.ts';
import { openSession, type OpenedSession } from './open-session.ts';
import { parseFormName } from './platform/form-name.ts';
import { stripeScriptOf } from './stripe-script.ts';
import type { Upstream } from './upstream.ts';
import type { Visitor } from './visitor-tokens.ts';

/**
 * While the API is unavailable, at most one request in this interval calls the API; the other
 * requests fail at once.
 */
const RETRY_AFTER_FAILURE_MS = 2000;

/**
 * How long visitors get a session for a version of a form after the next version was published. It covers
 * pages from caches, and donors who read a page before they use its form.
 */
const REPLACED_VERSION_MS = 3_600_000;

/** Interval between two searches for sessions that have expired. */
const FORGET_INTERVAL_MS = 60_000;

/** An embed session that the API has opened for a form; all visitors of the form share it. */
export interface OpenFormSession extends OpenedSession<EmbedSession> {
  form: EmbedForm;
  /** On a platform: the connected organization of the form. */
  organization: string | undefined;
}

/** The form that a visitor's page shows. */
export type FormOfVisitor = Pick<Visitor, 'form' | 'version'>;

/** Cached state of one version of a form. */
interface CacheEntry {
  current?: OpenFormSession;
  renewal?: Promise<OpenFormSession>;
  failure?: { error: unknown; retryAtMs: number };
}

/**
 * Caches one API embed session per form and renews it before it expires.
 *
 * A page view must not cost an API request, because a credential has 120 a minute for everything:
 * docs/decisions/0012-visitor-sessions.md. The terms of the form are fetched once per session.
 */
export class FormSessions {
  /** By name and version; the version is null for a form of the configuration. */
  readonly #entries = new Map<string, Map<number | null, CacheEntry>>();
  readonly #config: ResolvedConfig;
  readonly #dashboardForms: OrganizationLists<'forms'>;
  readonly #upstream: Upstream;
  readonly #now: () => number;
  #forgotExpiredAt = -Infinity;

  constructor(
    config: ResolvedConfig,
    upstream: Upstream,
    dashboardForms: OrganizationLists<'forms'>,
  ) {
    this.#config = config;
    this.#upstream = upstream;
    this.#dashboardForms = dashboardForms;
    this.#now = config.now ?? Date.now;
  }

  /**
   * Returns the form with a session that has not expired.
   *
   * One request renews a session that is close to its expiry. Meanwhile, and if the renewal fails,
   * the old session is used.
   *
   * @param minRemainingSeconds a session with less lifetime left is renewed too
   * @throws {ConnectError} `not_found` if there is no such form or it is closed; otherwise the error
   * of opening a session
   */
  async get(name: string, minRemainingSeconds = 0): Promise<OpenFormSession> {
    const { version } = await this.#findLive(name);
    return await this.#getVersion(name, version, minRemainingSeconds);
  }

  /**
   * Returns the form for a page that shows a version of it. If that version was replaced within the last
   * hour, it is returned, else the live version. Older versions are not, so that nobody can give under
   * terms that no longer apply.
   *
   * @param shownVersion undefined if the page shows the form of the response
   * @throws {ConnectError} as `get`
   */
  async getForPage(name: string, shownVersion: number | undefined): Promise<OpenFormSession> {
    const { version, publishedAt } = await this.#findLive(name);
    const isReplaced = version !== null && shownVersion === version - 1;
    if (isReplaced && this.#now() - publishedAt < REPLACED_VERSION_MS) {
      try {
        return await this.#getVersion(name, shownVersion, 0);
      } catch (error) {
        // For example, its fund has been archived, which only the live version prevents.
        const { type } = error as ConnectError;
        if (type !== 'invalid_request' && type !== 'not_found') throw error;
      }
    }
    return await this.#getVersion(name, version, 0);
  }

  /**
   * Returns the form for which a visitor has a token, also if a newer version has been published since, so
   * that a donor gives to the fund and under the terms that the page shows.
   *
   * @throws {ConnectError} as `get`
   */
  async getForVisitor({ form, version }: FormOfVisitor): Promise<OpenFormSession> {
    const { version: liveVersion } = await this.#findLive(form);
    return await this.#getVersion(form, liveVersion && (version ?? liveVersion), 0);
  }

  /**
   * Lists the forms that a page can show now, first those of the dashboard. Costs no API request beyond
   * those of page views. Drafts, closed forms and forms of connected organizations are not listed, nor is
   * the form without terms that a server has if nobody configured one.
   */
  async list(): Promise<{ slug: string; name: string }[]> {
    const { forms } = this.#config;
    const published = (await this.#dashboardForms.get())
      .filter(({ slug, status }) => status === 'live' && !Object.hasOwn(forms, slug))
      .map(({ slug, page }) => ({ slug, name: page?.title ?? slug }));
    const configured = Object.entries(forms)
      .filter(([, terms]) => terms.organization === undefined)
      .filter(([slug, terms]) => slug !== 'default' || Object.keys(terms).length > 0)
      .map(([slug]) => ({ slug, name: slug }));
    return [...published, ...configured];
  }

  async #getVersion(
    name: string,
    version: number | null,
    minRemainingSeconds: number,
  ): Promise<OpenFormSession> {
    const entry = this.#getEntry(name, version);
    const { current } = entry;
    const remainingMs = current ? current.expiresAt - this.#now() : 0;
    if (!current || remainingMs <= 0) return await this.#renew(entry, name, version);
    const renewBelowSeconds = Math.max(this.#config.renewBeforeSeconds, minRemainingSeconds);
    if (remainingMs > renewBelowSeconds * 1000 || entry.renewal) return current;
    return await this.#renew(entry, name, version).catch(() => current);
  }

  /** On a platform: the connected organization that receives the donations of a form. */
  organizationOf(name: string): string | undefined {
    return Object.hasOwn(this.#config.forms, name)
      ? this.#config.forms[name]!.organization
      : parseFormName(name).organization;
  }

  /**
   * Opens a new session in place of one that the API has rejected, unless another request has
   * already replaced it.
   */
  async replace(
    visitor: FormOfVisitor,
    rejectedSession: OpenFormSession,
  ): Promise<OpenFormSession> {
    this.forget(visitor.form, rejectedSession);
    return await this.getForVisitor(visitor);
  }

  /** Forgets a session that the API no longer accepts, so that the next page asks the API what applies. */
  forget(name: string, session: OpenFormSession): void {
    const entry = this.#getEntry(name, session.form.form_version);
    if (entry.current === session) delete entry.current;
  }

  /**
   * Finds a form in the configuration, or else among those of the dashboard; on a platform, among those
   * of the connected organization that the name contains.
   *
   * @returns the live version of a form of the dashboard, and when it was published, in milliseconds; the
   *   version is null for a form of the configuration
   * @throws {ConnectError} `not_found` with code `form_not_found` or `form_closed`
   */
  async #findLive(name: string): Promise<{ version: number | null; publishedAt: number }> {
    if (Object.hasOwn(this.#config.forms, name)) return { version: null, publishedAt: 0 };
    const { organization, slug: formSlug } = parseFormName(name);
    const forms = await this.#dashboardForms.get(organization);
    const form = forms.find(({ slug }) => slug === formSlug);
    if (!form || form.version === null) throw formNotFound(name);
    if (form.status === 'closed') {
      throw new ConnectError('not_found', `The form "${name}" is closed.`, { code: 'form_closed' });
    }
    return { version: form.version, publishedAt: Date.parse(form.published_at ?? '') };
  }

  /** Returns the cached state of a version of a form. */
  #getEntry(name: string, version: number | null): CacheEntry {
    this.#forgetExpired();
    const entries = this.#entries.get(name) ?? new Map<number | null, CacheEntry>();
    this.#entries.set(name, entries);
    const entry = entries.get(version) ?? {};
    entries.set(version, entry);
    return entry;
  }

  /** Forgets the sessions of forms and versions that nobody opens any more, at most once a minute. */
  #forgetExpired(): void {
    if (this.#now() - this.#forgotExpiredAt < FORGET_INTERVAL_MS) return;
    this.#forgotExpiredAt = this.#now();
    for (const [name, entries] of this.#entries) {
      for (const [version, { current, renewal }] of entries) {
        if (!renewal && (!current || current.expiresAt <= this.#now())) entries.delete(version);
      }
      if (entries.size === 0) this.#entries.delete(name);
    }
  }

  /** Renews a session. Concurrent calls share one API request. */
  async #renew(entry: CacheEntry, name: string, version: number | null): Promise<OpenFormSession> {
    if (entry.failure && entry.failure.retryAtMs > this.#now()) {
      throw entry.failure.error;
    }
    entry.renewal ??= this.#open(name, version)
      .then((session) => {
        delete entry.failure;
        return (entry.current = session);
      })
      .catch((error: unknown) => {
        entry.failure = { error, retryAtMs: this.#now() + RETRY_AFTER_FAILURE_MS };
        throw error;
      })
      .finally(() => delete entry.renewal);
    return await entry.renewal;
  }

  /**
   * Returns the origins of the sites that may show the form, and that of the giving pages. The API
   * registers them for wallets, and only these sites may frame the hosted page.
   */
  #siteOrigins(): { origins?: string[] } {
    const { origins: configured, publicUrl } = this.#config;
    const givingPages = publicUrl?.startsWith('https:') ? [new URL(publicUrl).origin] : [];
    const origins = [...givingPages, ...configured].filter(
      (origin) => SiteOrigin.safeParse(origin).success,
    );
    return origins.length > 0 ? { origins: origins.slice(0, MAX_SITE_ORIGINS) } : {};
  }

  async #open(name: string, version: number | null): Promise<OpenFormSession> {
    const organization = this.organizationOf(name);
    const { organization: _, ...terms } =
      version === null
        ? this.#config.forms[name]!
        : { form: parseFormName(name).slug, form_version: version, organization };
    const sessionRequest = { ...terms, ...this.#siteOrigins() };
    const openedSession = await this.#upstream.call(
      (api) =>
        openSession(this.#now, async (options) =>
          parseResponse(
            EmbedSession.safeParse(await api.createEmbedSession(sessionRequest, options)),
          ),
        ),
      organization,
    );
    const { session_token: token, form: embedForm } = openedSession.session;
    // An older API does not return the form with the session.
    const form =
      embedForm ??
      (await this.#upstream.call(
        async (api) => parseResponse(EmbedForm.safeParse(await api.getEmbedForm(token))),
        organization,
      ));
    const stripe_js_url = stripeScriptOf(this.#config, form.stripe_js_url);
    return { ...openedSession, form: { ...form, stripe_js_url }, organization };
  }
}

/** Rejects an unexpected API response: it must not be cached for the lifetime of a session. */
function parseResponse<Value>(
  parsed: { success: true; data: Value } | { success: false; error: Error },
) {
  if (parsed.success) return parsed.data;
  const message = 'The Connect API did not return an embed session.';
  throw new ConnectError('unavailable', message, { cause: parsed.error });
}

const formNotFound = (name: string) =>
  new ConnectError(
    'not_found',
    `The form "${name}" does not exist. If this is your site, publish a form with this name in the dashboard, or add it to "forms" in connect.config.ts.`,
    { code: 'form_not_found' },
  );
