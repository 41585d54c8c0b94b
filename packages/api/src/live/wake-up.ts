import pg from 'pg';

/** The trigger's channel: `0016-live.ts`. */
const CHANNEL = 'connect_live';

/**
 * Hears from PostgreSQL that somebody's rows have changed.
 *
 * It only saves waiting: what has changed is in the log, and is looked for every few seconds anyhow, since a
 * connection may break, and a pooler in between may swallow notices.
 */
export class WakeUp {
  readonly #options: pg.ClientConfig;
  readonly #heard: (organizationId: string) => void;
  #client: pg.Client | undefined;

  constructor(options: pg.ClientConfig, heard: (organizationId: string) => void) {
    this.#options = options;
    this.#heard = heard;
  }

  /** Listens, if it does not already. @returns whether it has just begun to */
  async listen(): Promise<boolean> {
    if (this.#client) return false;
    const client = (this.#client = new pg.Client(this.#options));
    const lost = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', lost).on('end', lost);
    client.on('notification', ({ payload }) => this.#heard(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      return true;
    } catch (error) {
      lost();
      await client.end().catch(() => {});
      throw error;
    }
  }

  async stop() {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}
