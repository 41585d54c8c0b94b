import { expect, type BrowserContext, type Request } from 'playwright/test';

/** Matches test cards of the sandbox in any format. */
const CARD_NUMBER =
  /4242\D{0,3}4242\D{0,3}4242\D{0,3}424|4000\D{0,3}00\d\d\D{0,3}\d{4}\D{0,3}\d{4}/;

/** Records requests, console errors and warnings of every page of a test. */
export class PageMonitor {
  readonly requests: Request[] = [];
  readonly consoleErrors: string[] = [];
  readonly consoleWarnings: string[] = [];
  readonly #allowed: RegExp[] = [];

  constructor(context: BrowserContext) {
    context.on('request', (request) => this.requests.push(request));
    context.on('weberror', (error) =>
      this.consoleErrors.push(`uncaught: ${error.error().message}`),
    );
    context.on('console', (message) => {
      if (message.type() === 'warning') this.consoleWarnings.push(message.text());
      if (message.type() !== 'error') return;
      this.consoleErrors.push(`${message.text()} (${message.location().url})`);
    });
  }

  /** Allows console errors that a test causes on purpose. */
  allowErrors(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  /** Requests to a URL, by method and path. */
  to(base: string, method: string, path: string): Request[] {
    return this.requests.filter(
      (request) => request.method() === method && request.url() === `${base}${path}`,
    );
  }

  assertNoErrors(): void {
    const unexpected = this.consoleErrors.filter(
      (text) => !this.#allowed.some((expected) => expected.test(text)),
    );
    expect(unexpected, 'the console stays clean').toEqual([]);
  }

  /** Expects that card numbers are sent to the processor only. */
  assertNoCardOutside(processor: string): void {
    const leaks = this.requests
      .filter((request) => new URL(request.url()).origin !== processor)
      .filter((request) => CARD_NUMBER.test(`${request.url()} ${request.postData() ?? ''}`));
    expect(leaks.map((request) => request.url())).toEqual([]);
  }
}
