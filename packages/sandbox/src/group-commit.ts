import type { DatabaseSync } from 'node:sqlite';
import { transact } from './database.ts';

type PendingWork = {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/**
 * Runs database work that must be on disk before its response is sent. Work that arrives together
 * shares one commit, because waiting for the disk is slow; a savepoint keeps each piece atomic.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #beforeCommit: () => void;
  readonly #afterCommit: () => void;
  #waiting: PendingWork[] = [];

  /** @param hooks `beforeCommit` runs in each transaction, `afterCommit` when it is on disk */
  constructor(db: DatabaseSync, hooks: { beforeCommit: () => void; afterCommit: () => void }) {
    this.#db = db;
    this.#beforeCommit = hooks.beforeCommit;
    this.#afterCommit = hooks.afterCommit;
  }

  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as PendingWork['resolve'], reject });
      if (this.#waiting.length === 1) setImmediate(this.#flush);
    });
  }

  readonly #flush = () => {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const settlePromises = transact(this.#db, () => {
        this.#beforeCommit();
        return batch.map((pending) => this.#runInSavepoint(pending));
      });
      for (const settlePromise of settlePromises) settlePromise();
    } catch (error) {
      for (const pending of batch) pending.reject(error);
      return;
    }
    this.#afterCommit();
  };

  /** @returns a function that resolves or rejects the caller's promise, to call after the commit */
  #runInSavepoint({ work, resolve, reject }: PendingWork): () => void {
    this.#db.exec('savepoint piece');
    try {
      const value = work();
      this.#db.exec('release piece');
      return () => resolve(value);
    } catch (error) {
      // SQLite has ended the transaction, so the whole batch fails.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec('rollback to piece');
      this.#db.exec('release piece');
      return () => reject(error);
    }
  }
}
