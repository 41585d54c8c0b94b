import {
  ATTACK_UNTIL_HEADER,
  ConnectError,
  DEFAULT_FORM,
  EmbedForm,
  EmbedSession,
  FormPresentation,
  MAX_SITE_ORIGINS,
  SiteOrigin,
  toPublicForm,
  type ResponseHeaders,
} from '@connect-embed/contract';
import type { z } from 'zod';
import type { ResolvedConfig } from '../connect-config.ts';
import { cachedByKey, type CachedByKey } from '../cache/cached-resource.ts';
import type { DashboardList } from '../cache/dashboard-list.ts';
import type { DonationGuard } from '../guard/donation-guard.ts';
import { openSession, type OpenedSession } from './open-session.ts';
import { parseFormName } from '../platform/form-name.ts';
import { prepareSharedBody, type SharedBody } from '../cache/shared-body.ts';
import { stripeScriptOf } from './stripe-script.ts';
import type { Upstream } from '../upstream.ts';
import type { Visitor } from './visitor-tokens.ts';

/**
 * How long visitors get a session for a version of a form after the next version was published. It covers
 * pages from caches, and donors who read a page before they use its form.
 */
const REPLACED_VERSION_MS = 3_600_000;

/** An embed session that the API has opened for a form; all visitors of the form share it. */
export interface OpenEmbedSession extends OpenedSession<EmbedSession> {
  /** Under which it is cached. */
  key: string;
  form: EmbedForm;
  /**
   * What a page needs to draw the form, as JSON. It is compressed once for each session, as well as possible, so
   * that a page view costs no compression: docs/decisions/0118-forms-from-caches.md
   */
  publicForm: SharedBody;
  /** On a platform: the connected organization of the form. */
  organization: string | undefined;
}

/**
 * Caches one API embed session per form and renews it before it expires.
 *
 * A page view must not cost an API request, because a credential has 120 a minute for everything:
 * docs/decisions/0012-visitor-sessions.md. The terms of the form are fetched once per session.
 */
export class EmbedSessions {
  readonly #config: ResolvedConfig;
  readonly #dashboardForms: DashboardList<'forms'>;
  readonly #upstream: Upstream;
  readonly #guard: Pick<DonationGuard, 'recordAttack'>;
  readonly #now: () => number;
  /** By `keyOf`. */
  readonly #sessions: CachedByKey<string, OpenEmbedSession>;

  constructor(
    config: ResolvedConfig,
    upstream: Upstream,
    dashboardForms: DashboardList<'forms'>,
    guard: Pick<DonationGuard, 'recordAttack'>,
  ) {
    this.#config = config;
    this.#guard = guard;
    this.#upstream = upstream;
    this.#dashboardForms = dashboardForms;
    this.#now = config.now;
    this.#sessions = cachedByKey(async (key) => ({ value: await this.#open(key) }), {
      now: this.#now,
      lifetime: ({ expiresAt }) => ({
        refreshAt: expiresAt - config.renewBeforeSeconds * 1000,
        staleAt: expiresAt,
        expiresAt,
      }),
    });
  }

  /**
   * Returns the form with a session that has not expired.
   *
   * A session that is close to its expiry is renewed. If that fails, the old session is used.
   *
   * @param minRemainingSeconds a session with less lifetime left is renewed first
   * @throws {ConnectError} `not_found` if there is no such form or it is closed; otherwise the error
   * of opening a session
   */
  async get(name: string, minRemainingSeconds = 0): Promise<OpenEmbedSession> {
    const { version, livemode } = await this.#findLive(name);
    return await this.#sessions.get(keyOf(name, version, livemode), minRemainingSeconds * 1000);
  }

  /**
   * Returns the form for a page that shows a version of it. If that version was replaced within the last
   * hour, it is returned, else the live version. Older versions are not, so that nobody can give under
   * terms that no longer apply.
   *
   * @param shownVersion undefined if the page shows the form of the response
   * @throws {ConnectError} as `get`
   */
  async getForPage(name: string, shownVersion: number | undefined): Promise<OpenEmbedSession> {
    const { version, publishedAt, livemode } = await this.#findLive(name);
    const isReplaced = version !== null && shownVersion === version - 1;
    if (isReplaced && this.#now() - publishedAt < REPLACED_VERSION_MS) {
      try {
        return await this.#sessions.get(keyOf(name, shownVersion, livemode));
      } catch (error) {
        // For example, its fund has been archived, which only the live version prevents.
        const { type } = error as ConnectError;
        if (type !== 'invalid_request' && type !== 'not_found') throw error;
      }
    }
    return await this.#sessions.get(keyOf(name, version, livemode));
  }

  /**
   * Returns the form for which a visitor has a token, also if a newer version has been published since, so
   * that a donor gives to the fund and under the terms that the page shows.
   *
   * @throws {ConnectError} as `get`
   */
  async getForVisitor({
    form,
    version,
  }: Pick<Visitor, 'form' | 'version'>): Promise<OpenEmbedSession> {
    const { version: liveVersion, livemode } = await this.#findLive(form);
    const shownVersion = liveVersion && (version ?? liveVersion);
    return await this.#sessions.get(keyOf(form, shownVersion, livemode));
  }

  /**
   * Lists the forms that a page can show now, first those of the dashboard. Costs no API request beyond
   * those of page views. Drafts, closed forms and forms of connected organizations are not listed, nor is
   * the form without terms that a server has if nobody configured one.
   */
  async list(): Promise<{ slug: string; name: string }[]> {
    const { forms } = this.#config;
    const published = (await this.#dashboardForms())
      .filter(({ slug, status }) => status === 'live' && !Object.hasOwn(forms, slug))
      .map(({ slug, page }) => ({ slug, name: page?.title ?? slug }));
    const configured = Object.entries(forms)
      .filter(([, terms]) => terms.organization === undefined)
      .filter(([slug, terms]) => slug !== DEFAULT_FORM || Object.keys(terms).length > 0)
      .map(([slug]) => ({ slug, name: slug }));
    return [...published, ...configured];
  }

  /** On a platform: the connected organization that receives the donations of a form. */
  organizationOf(name: string): string | undefined {
    return Object.hasOwn(this.#config.forms, name)
      ? this.#config.forms[name]!.organization
      : parseFormName(name).organization;
  }

  /** Forgets a session that the API no longer accepts, unless another request has already replaced it. */
  forget(session: OpenEmbedSession): void {
    this.#sessions.forget(session.key, session);
  }

  /**
   * Finds a form in the configuration, or else among those of the dashboard; on a platform, among those
   * of the connected organization that the name contains.
   *
   * @returns the live version of a form of the dashboard, when it was published, in milliseconds, and the mode
   *   of the organization's keys; the version is null for a form of the configuration
   * @throws {ConnectError} `not_found` with code `form_not_found` or `form_closed`
   */
  async #findLive(name: string) {
    if (Object.hasOwn(this.#config.forms, name))
      return { version: null, publishedAt: 0, livemode: undefined };
    const { organization, slug: formSlug } = parseFormName(name);
    const forms = await this.#dashboardForms(organization);
    const form = forms.find(({ slug }) => slug === formSlug);
    if (!form || form.version === null) throw formNotFound(name);
    if (form.status === 'closed') {
      throw new ConnectError('not_found', `The form "${name}" is closed.`, { code: 'form_closed' });
    }
    const { version, livemode } = form;
    return { version, publishedAt: Date.parse(form.published_at ?? ''), livemode };
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

  async #open(key: string): Promise<OpenEmbedSession> {
    const [name, version] = parseKey(key);
    const { forms, compressShared } = this.#config;
    const organization = this.organizationOf(name);
    const { organization: _, impact_texts, ...terms } = (version === null && forms[name]) || {};
    const shown =
      version === null
        ? { ...terms, form_name: name }
        : { form: parseFormName(name).slug, form_version: version };
    const request = { ...shown, ...this.#siteOrigins() };
    const openedSession = await this.#upstream.call(
      (api) =>
        openSession(this.#now, async ({ onHeaders }) => {
          const options = {
            onHeaders: (headers: ResponseHeaders) => {
              onHeaders(headers);
              this.#guard.recordAttack(organization, headers.get(ATTACK_UNTIL_HEADER));
            },
          };
          return parseResponse(EmbedSession, await api.createEmbedSession(request, options));
        }),
      organization,
    );
    const { session_token: token, form: embedForm } = openedSession.session;
    // Without an account at Stripe, the API returns no form, and its error to this request says so.
    const received =
      embedForm ??
      (await this.#upstream.call(
        async (api) => parseResponse(EmbedForm, await api.getEmbedForm(token)),
        organization,
      ));
    const stripe_js_url = stripeScriptOf(this.#config, received.stripe_js_url);
    const presentation = impact_texts && FormPresentation.parse({ impact_texts });
    const form = { ...received, stripe_js_url, ...(presentation && { presentation }) };
    const text = JSON.stringify(toPublicForm(form));
    const publicForm = await prepareSharedBody(text, 'application/json', compressShared);
    return { ...openedSession, key, form, publicForm, organization };
  }
}

/**
 * The key of a version of a form; the version is null for a form of the configuration. With the mode of the keys,
 * so that pages show a live form within a minute of going live.
 */
const keyOf = (name: string, version: number | null, livemode: boolean | undefined) =>
  JSON.stringify([name, version, livemode]);
const parseKey = (key: string) => JSON.parse(key) as [name: string, version: number | null];

/** Rejects an unexpected API response: it must not be cached for the lifetime of a session. */
function parseResponse<Schema extends z.ZodType>(schema: Schema, response: unknown) {
  const { success, data, error: cause } = schema.safeParse(response);
  if (success) return data;
  const message = 'The Connect API did not return an embed session.';
  throw new ConnectError('unavailable', message, { cause });
}

const formNotFound = (name: string) =>
  new ConnectError(
    'not_found',
    `The form "${name}" does not exist. If this is your site, publish a form with this name in the dashboard, or add it to "forms" in connect.config.ts.`,
    { code: 'form_not_found' },
  );
