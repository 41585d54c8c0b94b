import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from 'better-auth';
import type { Db } from '../db/schema.ts';
import { hashToken } from '../lib/id.ts';

/**
 * The database adapter of Better Auth, except that `session.token` is stored as its SHA-256, so
 * that a copy of the database does not contain the tokens in session cookies.
 *
 * The library (1.7.5) has no option for this. It looks sessions up by the token of the cookie and
 * expects that token in the row, so each query hashes the token and each result contains the
 * original one.
 */
export const hashedSessionTokens =
  (db: Db) =>
  (options: BetterAuthOptions): DBAdapter =>
    withHashedTokens(kyselyAdapter(db, { type: 'postgres', transaction: true })(options));

const withHashedTokens = (adapter: DBAdapter): DBAdapter => ({
  ...adapter,
  ...hashedOperations(adapter),
  transaction: (operation) =>
    adapter.transaction((tx) => operation({ ...tx, ...hashedOperations(tx) })),
});

type Row = Record<string, unknown>;

/**
 * Replaces the adapter operations whose arguments can contain a session token by operations that
 * hash the token.
 */
function hashedOperations(adapter: DBTransactionAdapter) {
  return {
    create: async <T extends Row, R = T>(request: Parameters<typeof adapter.create>[0]) => {
      const { token } = request.data as Row;
      if (request.model !== 'session') return await adapter.create<T, R>(request as never);
      const data = { ...request.data, token: hashedToken(token) };
      const row = await adapter.create<T, R>({ ...request, data } as never);
      return { ...row, token } as R;
    },
    findOne: async <T>(request: Parameters<typeof adapter.findOne>[0]) =>
      withPlainToken(await adapter.findOne<T>(withHashes(request)), request),
    findMany: <T>(request: Parameters<typeof adapter.findMany>[0]) =>
      adapter.findMany<T>(withHashes(request)),
    count: (request: Parameters<typeof adapter.count>[0]) => adapter.count(withHashes(request)),
    update: async <T>(request: Parameters<typeof adapter.update>[0]) =>
      withPlainToken(await adapter.update<T>(withHashes(request)), request),
    updateMany: (request: Parameters<typeof adapter.updateMany>[0]) =>
      adapter.updateMany(withHashes(request)),
    delete: (request: Parameters<typeof adapter.delete>[0]) => adapter.delete(withHashes(request)),
    deleteMany: (request: Parameters<typeof adapter.deleteMany>[0]) =>
      adapter.deleteMany(withHashes(request)),
    consumeOne: async <T>(request: Parameters<typeof adapter.consumeOne>[0]) =>
      withPlainToken(await adapter.consumeOne<T>(withHashes(request)), request),
  };
}

interface Request {
  model: string;
  where?: Where[] | undefined;
}

const hashedToken = (token: unknown) => hashToken(String(token)).toString('hex');

/** Replaces the tokens in a request by their hashes. */
function withHashes<R extends Request>(request: R): R {
  if (request.model !== 'session' || !request.where) return request;
  const where = request.where.map((each) => {
    if (each.field !== 'token') return each;
    const { value } = each;
    return { ...each, value: Array.isArray(value) ? value.map(hashedToken) : hashedToken(value) };
  });
  return { ...request, where };
}

/** Restores the original token in a row that was found by its hash. */
function withPlainToken<T>(row: T | null, { model, where = [] }: Request): T | null {
  const token = model === 'session' && where.find(({ field }) => field === 'token')?.value;
  return row && token ? { ...row, token } : row;
}
