import type { TemplateResult } from 'lit';
import type { PublicForm } from '@connect-embed/contract';
import type { ConnectDonate } from '../connect-donate.ts';
import type { Language } from '../shared/language.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import type { DonationDraft, DonorInput, Field, Problems } from './donation-draft.ts';
import type { FormEvent, FormState } from './form-state.ts';

/**
 * `idle` until the donor interacts with the form; `blocked` if Stripe's script or fields cannot be
 * loaded.
 */
export type PaymentFieldsStatus = 'idle' | 'loading' | 'ready' | 'blocked';

/** What the element is rendered from: the form's state, and the texts and templates to show in it. */
export interface ViewState {
  state: FormState;
  paymentFields: PaymentFieldsStatus;
  problems: Problems;
  /** Announced by screen readers, when no message takes the focus. */
  announcement?: string;
  /** Text of the Give button while a donation is submitted. */
  buttonStatus?: string;
  /** Text below the Give button while a donation is submitted. */
  progress?: string;
  /** Other values, below their fields, if those in them look mistyped. */
  suggestions?: Partial<Record<Field, TemplateResult>> | undefined;
  /** Message above the Give button: an error or information, and what to do. */
  banner?: TemplateResult | string | undefined;
  /** Status text below the payment fields or their placeholder. */
  paymentNote?: TemplateResult | undefined;
  /** The goal of the campaign, once its code is loaded. */
  goal?: (() => TemplateResult) | undefined;
  /** The wallet's buttons, above the donor's details: without a wallet first `empty`, then `none`. */
  wallet: 'loading' | 'ready' | 'empty' | 'none';
  /** Shown instead of the payment fields if they cannot be loaded. */
  paymentError?: TemplateResult | undefined;
  /** Why the form cannot be used. It is shown instead of the form. */
  loadError?: unknown;
  /** Shown instead of the form after a donation. */
  thankYou?: TemplateResult | undefined;
}

export const LOADING_STATE: ViewState = {
  state: { status: 'loading' },
  paymentFields: 'idle',
  wallet: 'loading',
  problems: {},
};

/** One opened form: what rendering and submitting (`donation-flow.ts`) share. */
export interface FormContext {
  readonly host: ConnectDonate;
  /** URL of the server (BFF). */
  readonly server: string;
  /** The `form` attribute. */
  readonly name: string | null;
  readonly draft: DonationDraft;
  readonly language: Language<DonateMessages>;
  /** Name of the slot for the payment fields. */
  readonly slot: string;
  /** Aborted when the element opens another form. The methods below have no effect after that. */
  readonly signal: AbortSignal;
  readonly viewState: Readonly<ViewState>;
  /** Changes the state and returns it; undefined if the state ignores the event: `form-state.ts`. */
  dispatch(event: FormEvent): FormState | undefined;
  setViewState(change: Partial<Omit<ViewState, 'state'>>): void;
  /** Lets the form be lower than its first view. */
  releaseHeight(): void;
  /** True if this form has replaced one that was out of date. It is not replaced again. */
  readonly isReplacement: boolean;
  /** Shows another form in place of this one, unless a donation is being paid. */
  replaceForm(replacement: Replacement): void;
  /** Shows that the form cannot be used, and why, unless a donation is being paid. */
  fail(error: unknown): void;
}

/** A form to show in place of one that is out of date. */
export interface Replacement {
  form: PublicForm;
  /** What the donor has entered so far. */
  values: DonorInput;
  /** Selector of the field that has the focus. */
  focused: string | undefined;
}

/** The input of a form's render functions. */
export interface FormView {
  draft: DonationDraft;
  viewState: Readonly<ViewState>;
  /** Name of the slot for the payment fields. */
  slot: string;
  /** Undefined in the placeholder. */
  on?: FormHandlers;
}

/** Handlers of what the donor does in a form. */
export interface FormHandlers {
  /** The pointer is over the form, so the donor may use it soon. */
  approach: () => void;
  interact: () => void;
  change: (change: Partial<DonorInput>) => void;
  submit: (event: Event) => void;
  focusPayment: () => void;
}
