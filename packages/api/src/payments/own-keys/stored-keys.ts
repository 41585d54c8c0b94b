import { ConnectError } from '@connect-embed/contract';
import { acrossOrganizations, forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { ColumnEncrypter, EncryptedField } from '../../lib/column-encrypter.ts';
import type { OwnKeys } from '../stripe/own-keys.ts';

/**
 * How long keys are used from memory. A key that was replaced or removed in one process is used in the
 * others for no longer than this.
 */
const TTL_MS = 5_000;

/** The encrypted keys of an organization; the columns are null if it has none of its own. */
export interface StoredKeysRow {
  keys_of: string | null;
  encrypted_secret_key: string | null;
  publishable_key: string | null;
  livemode: boolean | null;
}

export const STORED_KEY_COLUMNS = [
  'stripe_key.organization_id as keys_of',
  'stripe_key.encrypted_secret_key',
  'stripe_key.publishable_key',
  'stripe_key.livemode',
] as const;

interface CacheEntry {
  encryptedSecretKey: string | null;
  keys: OwnKeys | undefined;
  readAt: number;
}

/**
 * Finds organizations' own Stripe keys in the database, decrypts them, and remembers them for a few
 * seconds: docs/decisions/0099-first-run-and-own-stripe-keys.md
 */
export class StoredKeys {
  readonly #db: Db;
  readonly #encrypter: ColumnEncrypter;
  /** By Stripe account. */
  readonly #cache = new Map<string, CacheEntry>();

  constructor(db: Db, encrypter: ColumnEncrypter) {
    this.#db = db;
    this.#encrypter = encrypter;
  }

  /**
   * Finds the own keys of a Stripe account.
   *
   * @returns undefined if the account is used through the platform
   * @throws {ConnectError} `unavailable` if the keys were encrypted with another `API_SECRET` or for another
   *   organization
   */
  readonly find = async (account: string): Promise<OwnKeys | undefined> => {
    const cached = this.#cache.get(account);
    if (cached && isFresh(cached)) return cached.keys;
    const row = await acrossOrganizations(this.#db)
      .selectFrom('organization')
      .leftJoin('stripe_key', 'stripe_key.organization_id', 'organization.id')
      .select(STORED_KEY_COLUMNS)
      .where('organization.processor_account_id', '=', account)
      .executeTakeFirst();
    return row && (await this.remember(account, row));
  };

  /** Remembers keys that a statement has read together with other data of a request. */
  async remember(account: string, row: StoredKeysRow): Promise<OwnKeys | undefined> {
    const cached = this.#cache.get(account);
    const encryptedSecretKey = row.encrypted_secret_key;
    // Each time when keys are saved, the encrypted text is another one.
    const isSame = cached?.encryptedSecretKey === encryptedSecretKey;
    const keys = isSame ? cached.keys : await this.#decrypt(row);
    this.#cache.set(account, { encryptedSecretKey, keys, readAt: performance.now() });
    return keys;
  }

  /** Reads the keys of an account again at the next call, after they have changed. */
  forget(account: string): void {
    this.#cache.delete(account);
  }

  async #decrypt(row: StoredKeysRow): Promise<OwnKeys | undefined> {
    const { keys_of, encrypted_secret_key, publishable_key, livemode } = row;
    if (keys_of === null || encrypted_secret_key === null) return undefined;
    const secretKey = await this.#encrypter.decrypt(encrypted_secret_key, secretKeyOf(keys_of));
    if (!secretKey) throw unreadableKeys();
    return { secretKey, publishableKey: publishable_key ?? '', livemode: livemode ?? true };
  }
}

/**
 * Finds the mode of an organization's own keys. Does not decrypt them, so that unreadable keys block no
 * webhook event.
 *
 * @returns undefined if the account is used through the platform
 */
export async function findLivemode(db: Db, organizationId: string): Promise<boolean | undefined> {
  return (await selectLivemode(db, organizationId).executeTakeFirst())?.livemode;
}

/** Finds the mode in which donors of an organization pay: that of its own keys, or else of the platform. */
export async function findModeOf(
  { db, processor }: { db: Db; processor: { livemode: boolean } },
  organizationId: string,
): Promise<boolean> {
  return (await findLivemode(db, organizationId)) ?? processor.livemode;
}

/** Selects the mode of an organization's own keys: no row without keys. Also part of other statements. */
export const selectLivemode = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId).selectFrom('stripe_key').select('livemode');

const isFresh = ({ readAt }: CacheEntry) => performance.now() - readAt < TTL_MS;

/** The field of an organization's secret key. */
export const secretKeyOf = (organizationId: string): EncryptedField => ({
  column: 'stripe_key.encrypted_secret_key',
  organizationId,
});

/** The field of the signing secret of an organization's own webhook endpoint at Stripe. */
export const webhookSecretOf = (organizationId: string): EncryptedField => ({
  column: 'stripe_key.encrypted_webhook_secret',
  organizationId,
});

const unreadableKeys = () =>
  new ConnectError(
    'unavailable',
    'The Stripe keys cannot be read: API_SECRET was replaced, or they are those of another organization. Enter them again.',
  );
