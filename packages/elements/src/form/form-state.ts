import type { CompletedPayment } from './payment-outcome.ts';

/**
 * The state of a form. All code that draws or submits reads it here, and only `transition` changes it.
 *
 * The payment fields have a state of their own, because Stripe's script is loaded while the donor fills
 * in the form: `PaymentFieldsStatus` in `form-context.ts`.
 */
export type FormState =
  /** The form is requested, and an earlier payment looked up. A placeholder is shown meanwhile. */
  | { status: 'loading' }
  /** The donor can fill in the form and press Give. */
  | { status: 'ready' }
  /** A donation is being paid. The form is inert, and a further press of Give is ignored. */
  | { status: 'submitting' }
  /** Stripe has confirmed the payment, or the bank is processing it. The thank-you page is shown. */
  | { status: 'succeeded'; payment: CompletedPayment }
  /** Like `ready`, with a message about the latest attempt. The donor's input is kept. */
  | { status: 'failed' }
  /**
   * Nothing can be paid: the form or Stripe's payment fields could not be loaded. An error with a
   * Retry button is shown in place of the form or of the payment fields.
   */
  | { status: 'blocked' };

/** What can happen to a form. Invalid fields are no event: they are shown, and the state stays. */
export type FormEvent =
  /** The element opens its form: first, after its attributes changed, or again after an error. */
  | { type: 'open' }
  /** The form has arrived, and no earlier payment has an outcome to show. */
  | { type: 'opened' }
  /** The form, or the payment fields of a form that can be filled in, could not be loaded. */
  | { type: 'blocked' }
  /** The payment fields are loading again. */
  | { type: 'unblocked' }
  /** The donor pressed Give, or confirmed in the wallet, and the donation is valid. */
  | { type: 'submit' }
  /** The donor came back from a bank by the browser's Back button, so the outcome is looked up. */
  | { type: 'resumed' }
  /** A payment succeeded or is processing: this one, or an earlier one whose outcome was unknown. */
  | { type: 'succeeded'; payment: CompletedPayment }
  /** Nothing was paid, or the outcome is unknown. A message says why, and what to do. */
  | { type: 'failed' }
  /** The donor starts another donation. */
  | { type: 'restart' };

type Status = FormState['status'];
type Transitions = Partial<Record<FormEvent['type'], Status>>;

/** `failed` differs from `ready` only by its message. */
const ready: Transitions = {
  open: 'loading',
  succeeded: 'succeeded',
  failed: 'failed',
  blocked: 'blocked',
  submit: 'submitting',
};

/** The next status, by status and event. README.md of this package shows it as a table. */
export const TRANSITIONS: Readonly<Record<Status, Transitions>> = {
  loading: {
    open: 'loading',
    succeeded: 'succeeded',
    failed: 'failed',
    blocked: 'blocked',
    opened: 'ready',
  },
  ready,
  submitting: { succeeded: 'succeeded', failed: 'failed', resumed: 'submitting' },
  succeeded: { open: 'loading', restart: 'ready' },
  failed: ready,
  blocked: { open: 'loading', succeeded: 'succeeded', unblocked: 'ready' },
};

/**
 * Returns the next state, with the data of the event; undefined if the status ignores the event.
 *
 * So `submit` has an effect once, however often Give is pressed. Every transition creates an object:
 * a result that arrives later belongs to the current attempt only if the state is still the same
 * object.
 */
export function transition(
  { status }: FormState,
  { type, ...data }: FormEvent,
): FormState | undefined {
  const next = TRANSITIONS[status][type];
  return next && ({ ...data, status: next } as FormState);
}

const EDITABLE: readonly Status[] = ['ready', 'failed', 'blocked'];

/** True if the donor can fill in the form and press Give. */
export const isEditable = ({ status }: FormState) => EDITABLE.includes(status);
