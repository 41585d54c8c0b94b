import type {
  CreatePaymentIntent,
  FormSession,
  PaymentIntent,
  PublicForm,
} from '@connect-embed/contract';
import type { WaitForRetry } from '@connect-embed/elements/form/retry-policy.js';
import { SITE } from '../faults/support/service-plans.ts';

/** Which form a page shows: `FormAddress` of the elements. */
interface FormAddress {
  server: string;
  name: string;
}

interface SessionContext extends FormAddress {
  host: { shadowRoot: null };
  draft: { form: PublicForm; values: object };
  signal: AbortSignal;
  isReplacement: boolean;
  replaceForm: () => void;
}

interface Session {
  open(): Promise<FormSession>;
}

/** Functions of the form that also run without a browser. */
interface FormCode {
  loadForm(address: FormAddress, signal: AbortSignal): Promise<PublicForm>;
  FormSessionLoader: new (context: SessionContext, onUnusable: () => void) => Session;
  /** Waits, repeats requests and solves proofs of work. */
  createPaymentIntent(
    context: FormAddress & { session: Session; signal: AbortSignal },
    input: CreatePaymentIntent,
    options: { idempotencyKey: string; wait: WaitForRetry },
  ): Promise<PaymentIntent>;
}

/** Not by a literal, because the elements are checked with other settings: packages/elements/tsconfig.json */
const importForm = async (file: string) =>
  (await import(`@connect-embed/elements/form/${file}.js`)) as FormCode;

const { loadForm } = await importForm('load-form');
const { FormSessionLoader } = await importForm('form-session-loader');
const { createPaymentIntent } = await importForm('create-payment-intent');

/** Loads a form and prepares the session of a visitor. */
export async function openForm(address: FormAddress, signal: AbortSignal) {
  const form = await loadForm(address, signal);
  const ignore = () => {};
  const page = { host: { shadowRoot: null }, isReplacement: false, replaceForm: ignore };
  const context = { ...address, ...page, draft: { form, values: {} }, signal };
  return { ...address, signal, session: new FormSessionLoader(context, ignore) };
}

export { createPaymentIntent, type WaitForRetry };

/** Gives the form's code what it needs of a browser, and each request the headers of a donor at home. */
export function simulateBrowser(server: string): void {
  Object.assign(globalThis, { document: {} });
  Object.defineProperty(navigator, 'onLine', { value: true });
  const send = globalThis.fetch;
  globalThis.fetch = (url, init) => {
    if (typeof url !== 'string' || !url.startsWith(server)) return send(url, init);
    const headers = new Headers(init?.headers);
    headers.set('origin', SITE);
    headers.set('x-forwarded-for', `198.18.${randomByte()}.${randomByte()}`);
    return send(url, { ...init, headers });
  };
}

const randomByte = () => Math.floor(Math.random() * 256);
