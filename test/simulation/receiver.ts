import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Outcome, Send } from '@connect-embed/api/webhooks/send';
import type { Faults } from './faults.ts';

/** The signing secret of the endpoint. */
export const ENDPOINT_SECRET = `whsec_${Buffer.alloc(24, 'k').toString('base64')}`;

/** A webhook endpoint. It verifies each event and remembers its id. */
export class Receiver {
  /** How often each event arrived. */
  readonly received = new Map<string, number>();
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  receive: Send = async ({ headers, body }) => {
    const startedAt = new Date();
    const outcome = (status: number | null, error: string | null): Outcome => ({
      startedAt,
      durationMs: 1,
      status,
      error,
      retryAfterMs: 0,
    });
    const verifyAndRecord = async () => {
      if (!isSigned(headers, body)) return outcome(400, 'The endpoint responded 400.');
      const id = headers['webhook-id'];
      this.received.set(id, (this.received.get(id) ?? 0) + 1);
      return outcome(200, null);
    };
    return await this.#faults
      .call(verifyAndRecord, () => new LostConnection())
      .catch((error: unknown) => {
        if (!(error instanceof LostConnection)) throw error;
        return outcome(null, 'The connection was lost.');
      });
  };
}

/** False also if the clock of the API has become wrong by more than five minutes since it signed the event. */
function isSigned(headers: object, body: string): boolean {
  try {
    new Webhook(ENDPOINT_SECRET).verify(body, { ...headers });
    return true;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return false;
  }
}

class LostConnection extends Error {}
