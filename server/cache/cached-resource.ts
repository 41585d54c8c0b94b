import type { ConnectError } from '@connect-embed/contract';
import type { ResolvedConfig } from '../connect-config.ts';

/** While the API fails, at most one request in this interval asks it for a resource again. */
const RETRY_AFTER_FAILURE_MS = 2000;
/** How long after a failure nobody waits for the next attempt. An older one says nothing about the API of now. */
const NOBODY_WAITS_MS = 60_000;
/** How many keys are remembered. A forgotten one costs one more API request. */
const MAX_KEYS = 10_000;

/**
 * Fetches a resource.
 *
 * @param etag entity tag of the version that is cached
 * @returns undefined if that version is still the current one
 */
type Fetch<Value> = (
  etag: string | undefined,
) => Promise<{ value: Value; etag?: string | undefined } | undefined>;

/** Until when a fetched value is used, in milliseconds since the epoch. */
interface Lifetime {
  /** From then on, a use fetches the resource again in the background; by default at `staleAt`. */
  refreshAt?: number;
  /** From then on, a use waits for the new value, and gets the old one if the API fails. */
  staleAt: number;
  /** From then on, the value is not used, even if the API fails; by default never. */
  expiresAt?: number;
}

interface CacheOptions<Value> {
  now: () => number;
  lifetime: (value: Value, fetchedAt: number) => Lifetime;
}

/**
 * Caches a resource of the API, so that its requests depend on time and not on the number of visitors:
 * docs/decisions/0097-forms.md
 *
 * Concurrent uses share one request, which names the cached version with its `ETag`. While the API fails,
 * the last value is used until it expires; then the error is thrown, without another request for two seconds.
 */
export function cachedResource<Value>(fetch: Fetch<Value>, { now, lifetime }: CacheOptions<Value>) {
  let cached: { value: Value; etag: string | undefined; lifetime: Lifetime } | undefined;
  let failure: { error: unknown; at: number } | undefined;
  let request: Promise<void> | undefined;
  let isMarkedStale = false;

  const remainingMs = () => (cached ? (cached.lifetime.expiresAt ?? Infinity) - now() : 0);
  const failedWithin = (ms: number) => failure !== undefined && now() < failure.at + ms;

  /** A failure is kept, and not thrown: uses that do not wait for the request would not handle it. */
  async function load() {
    const fetchedAt = now();
    isMarkedStale = false;
    try {
      const { value, etag } = (await fetch(cached?.etag)) ?? cached!;
      cached = { value, etag, lifetime: lifetime(value, fetchedAt) };
      failure = undefined;
    } catch (error) {
      failure = { error, at: now() };
    }
  }

  return {
    /**
     * @param minRemainingMs a value that expires sooner is fetched again first, if that is possible
     * @throws the error of the last attempt if there is no value that may be used
     */
    async get(minRemainingMs = 0): Promise<Value> {
      const { staleAt, refreshAt = staleAt } = cached?.lifetime ?? { staleAt: -Infinity };
      const expiresTooSoon = remainingMs() <= minRemainingMs;
      const isStale = isMarkedStale || now() >= staleAt;
      if (expiresTooSoon || isStale || now() >= refreshAt) {
        if (!failedWithin(RETRY_AFTER_FAILURE_MS))
          request ??= load().finally(() => (request = undefined));
        if (expiresTooSoon || (isStale && !failedWithin(NOBODY_WAITS_MS))) await request;
      }
      if (cached && remainingMs() > 0) return cached.value;
      throw failure!.error;
    },
    /** The next use waits for a new value. */
    markStale: () => void (isMarkedStale = true),
    /** Forgets a value that the API no longer accepts. */
    forget(value: Value) {
      if (cached?.value === value) cached = undefined;
    },
  };
}

/**
 * One cached resource for each key, such as a form or a campaign. The keys that were used last are
 * remembered.
 *
 * @param fetch fetches the resource of a key, like that of `cachedResource`
 */
export function cachedByKey<Key, Value>(
  fetch: (key: Key, etag: string | undefined) => ReturnType<Fetch<Value>>,
  { maxKeys = MAX_KEYS, ...options }: CacheOptions<Value> & { maxKeys?: number },
) {
  const resources = new Map<Key, ReturnType<typeof cachedResource<Value>>>();

  function use(key: Key) {
    const resource = resources.get(key) ?? cachedResource((etag) => fetch(key, etag), options);
    resources.delete(key);
    resources.set(key, resource); // At the end, as the one that was used last.
    if (resources.size > maxKeys) resources.delete(resources.keys().next().value!);
    return resource;
  }

  return {
    async get(key: Key, minRemainingMs?: number): Promise<Value> {
      try {
        return await use(key).get(minRemainingMs);
      } catch (error) {
        // Visitors can name any organization. Only connected ones are remembered.
        if ((error as Partial<ConnectError>).code === 'organization_not_connected')
          resources.delete(key);
        throw error;
      }
    },
    markAllStale() {
      for (const resource of resources.values()) resource.markStale();
    },
    forget: (key: Key, value: Value) => resources.get(key)?.forget(value),
  };
}

export type CachedByKey<Key, Value> = ReturnType<typeof cachedByKey<Key, Value>>;

/** Age at which a use makes the resource of an organization be fetched again, in the background. */
const REFRESH_AFTER_MS = 30_000;
/**
 * Age above which a use waits for the new version. Caches may keep a form for 15 seconds more
 * (`routes/embed-form.ts`), so a change is shown within a minute.
 */
const MAX_AGE_MS = 45_000;

/**
 * One cached resource for each organization: that of the server's credential, and on a platform each
 * connected organization. It is fetched at most twice a minute while it is used.
 *
 * @returns a function that returns the resource of a connected organization, or of that of the credential;
 *   undefined if the server has no credential for any such organization
 */
export function cachedByOrganization<Value>(
  { apiKey, platform, now }: Pick<ResolvedConfig, 'apiKey' | 'platform' | 'now'>,
  fetch: (organization: string | undefined, etag: string | undefined) => ReturnType<Fetch<Value>>,
): (organization?: string) => Promise<Value | undefined> {
  const lifetime = (_: Value, fetchedAt: number) => ({
    refreshAt: fetchedAt + REFRESH_AFTER_MS,
    staleAt: fetchedAt + MAX_AGE_MS,
  });
  const resources = cachedByKey(fetch, { now, lifetime });
  return async (organization) => {
    const hasCredential =
      organization === undefined ? apiKey !== undefined : platform !== undefined;
    return hasCredential ? await resources.get(organization) : undefined;
  };
}
