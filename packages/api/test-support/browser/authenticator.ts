import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const STEP_SECONDS = 30;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Computes a TOTP code (RFC 4226 with the counter of RFC 6238), independently of the library under
 * test.
 */
function codeOf(secret: string, step: number): string {
  const bits = [...secret].map((character) =>
    BASE32.indexOf(character).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Simulates an authenticator app. Each call returns a different code: the codes of the previous,
 * the current and the next 30 seconds are valid, because the clock of a phone may be inaccurate.
 */
export class Authenticator {
  readonly #secret: string;
  #last = 0;

  constructor(secret: string) {
    this.#secret = secret.replace(/\s+/g, '');
  }

  async code(): Promise<string> {
    const now = () => Math.floor(Date.now() / 1000 / STEP_SECONDS);
    this.#last = Math.max(now() - 1, this.#last + 1);
    while (this.#last > now() + 1) await sleep(500);
    // Skips the previous step if the current step is about to end, because the server may check the
    // code during the next step.
    if (this.#last < now() && (Date.now() / 1000) % STEP_SECONDS > 25) this.#last += 1;
    return codeOf(this.#secret, this.#last);
  }

  /** Returns a code that is invalid at the current time. */
  wrong(): string {
    const now = Math.floor(Date.now() / 1000 / STEP_SECONDS);
    const acceptedCodes = [-2, -1, 0, 1, 2].map((by) => codeOf(this.#secret, now + by));
    return acceptedCodes.includes('000000') ? '000001' : '000000';
  }
}
