import {
  ConnectError,
  EmbedForm,
  EmbedSession,
  MAX_SITE_ORIGINS,
  SiteOrigin,
} from '@connect-embed/contract';
import type { ResolvedConfig } from './connect-config.ts';
import { openSession, type OpenedSession } from './open-session.ts';
import type { Upstream } from './upstream.ts';

/** While the API is down, one request in so many milliseconds finds out; the others need not wait. */
const RETRY_AFTER_FAILURE_MS = 2000;

/** A form as the API has opened it: the session that all its visitors share. */
export interface OpenFormSession extends OpenedSession<EmbedSession> {
  form: EmbedForm;
  /** On a platform: whose form it is. */
  organization: string | undefined;
}

/** What is known of one form. */
interface CacheEntry {
  open?: OpenFormSession;
  renewal?: Promise<OpenFormSession>;
  failure?: { error: unknown; until: number };
}

/**
 * One upstream embed session per form, kept and renewed before it expires.
 *
 * A page view must not cost an upstream call, because a credential has 120 a minute for everything:
 * docs/decisions/0012-visitor-sessions.md. The terms of the form are read once a session.
 */
export class FormSessions {
  readonly #slots = new Map<string, CacheEntry>();
  readonly #config: ResolvedConfig;
  readonly #upstream: Upstream;
  readonly #now: () => number;

  constructor(config: ResolvedConfig, upstream: Upstream) {
    this.#config = config;
    this.#upstream = upstream;
    this.#now = config.now ?? Date.now;
    for (const name of Object.keys(config.forms)) this.#slots.set(name, {});
  }

  /**
   * The form with a session that is still good.
   *
   * A session that is due to be renewed is renewed by one request; while that one waits, and when
   * it fails, the old session serves.
   *
   * @param leastSeconds a session that ends sooner is due, too
   * @throws {ConnectError} `not_found` for a form that the configuration does not name, or why no
   *   session could be opened
   */
  async get(name: string, leastSeconds = 0): Promise<OpenFormSession> {
    const slot = this.#slot(name);
    const { open } = slot;
    const leftMs = open ? open.expiresAt - this.#now() : 0;
    if (!open || leftMs <= 0) return await this.#renew(name, slot);
    const dueSeconds = Math.max(this.#config.renewBeforeSeconds, leastSeconds);
    if (leftMs > dueSeconds * 1000 || slot.renewal) return open;
    return await this.#renew(name, slot).catch(() => open);
  }

  /** Drops a session that the API no longer takes, unless another request has replaced it already. */
  async replace(name: string, gone: OpenFormSession): Promise<OpenFormSession> {
    const slot = this.#slot(name);
    if (slot.open === gone) delete slot.open;
    return await this.get(name);
  }

  #slot(name: string): CacheEntry {
    const slot = this.#slots.get(name);
    if (slot) return slot;
    const advice = 'If this is your site, add it to "forms" in connect.config.ts.';
    throw new ConnectError('not_found', `No form "${name}" here. ${advice}`);
  }

  /** Single flight: however many ask at once, the API is asked once. */
  async #renew(name: string, slot: CacheEntry): Promise<OpenFormSession> {
    if (slot.failure && slot.failure.until > this.#now()) {
      throw slot.failure.error;
    }
    slot.renewal ??= this.#open(name)
      .then((open) => {
        delete slot.failure;
        return (slot.open = open);
      })
      .catch((error: unknown) => {
        slot.failure = { error, until: this.#now() + RETRY_AFTER_FAILURE_MS };
        throw error;
      })
      .finally(() => delete slot.renewal);
    return await slot.renewal;
  }

  /** Where the form may be: wallets show there, and the hosted page may stand in a frame there. */
  #sites(): { origins?: string[] } {
    const origins = this.#config.origins.filter((origin) => SiteOrigin.safeParse(origin).success);
    return origins.length > 0 ? { origins: origins.slice(0, MAX_SITE_ORIGINS) } : {};
  }

  async #open(name: string): Promise<OpenFormSession> {
    const { organization, ...terms } = this.#config.forms[name] ?? {};
    const asked = { ...terms, ...this.#sites() };
    const opened = await this.#upstream.call(
      (api) =>
        openSession(this.#now, async (options) =>
          knownAs(EmbedSession.safeParse(await api.createEmbedSession(asked, options))),
        ),
      organization,
    );
    const { session_token: token } = opened.session;
    const form = await this.#upstream.call(
      async (api) => knownAs(EmbedForm.safeParse(await api.getEmbedForm(token))),
      organization,
    );
    return { ...opened, form, organization };
  }
}

/** An answer that is not what the contract says must not be kept for an hour. */
function knownAs<Answer>(
  parsed: { success: true; data: Answer } | { success: false; error: Error },
) {
  if (parsed.success) return parsed.data;
  const message = 'The Connect API answered with something else than an embed session.';
  throw new ConnectError('unavailable', message, { cause: parsed.error });
}
