import type { PublicForm } from '@connect-embed/contract';
import type { TemplateResult } from '../shared/html.ts';
import type { ConnectElement } from '../shared/connect-element.ts';
import type { Appearance } from './apply-appearance.ts';
import type { DonationDraft, DonorInput, Problems } from './donation-draft.ts';
import type { DonateMessages } from '../shared/message-types.ts';
import type { FormEvent, FormState } from './form-state.ts';

/**
 * `idle` until the donor interacts with the form; `blocked` if Stripe's script or fields cannot be
 * loaded.
 */
export type CardStatus = 'idle' | 'loading' | 'ready' | 'blocked';

/** What the element is rendered from: the form's state, and the texts and templates to show in it. */
export interface ViewState {
  state: FormState;
  /** Undefined is `idle`. */
  card?: CardStatus;
  problems: Problems;
  /** Announced by screen readers, when no message takes the focus. */
  announcement?: string;
  /** Text of the Give button while a donation is submitted. */
  buttonStatus?: string;
  /** Text below the Give button while a donation is submitted. */
  progress?: string;
  /** Message above the Give button: an error or information, and what to do. */
  banner?: TemplateResult | string | undefined;
  /** The honeypot field; set once `donation-flow.ts` is loaded. */
  honeypot?: TemplateResult | undefined;
  /** Renders the fields for dedication and comment; set together with `honeypot`. */
  renderTextAreas?: ((view: FormView) => TemplateResult) | undefined;
  /** Status text below the placeholder of the card fields. */
  cardNote?: TemplateResult | undefined;
  /** The wallet's buttons, above the donor's details, once the card is loading. */
  wallet?: TemplateResult | undefined;
  /** Shown instead of the card fields if they cannot be loaded. */
  cardError?: TemplateResult | undefined;
  /** Renders why the form could not be loaded. */
  loadError?: ((messages: DonateMessages, onRetry: () => void) => TemplateResult) | undefined;
  /** Shown instead of the form after a donation. */
  thankYou?: TemplateResult | undefined;
}

export const LOADING_STATE: ViewState = {
  state: { status: 'loading' },
  problems: {},
};

/** The part of the element that the chunks loaded later use. */
export interface FormHost extends ConnectElement {
  readonly messages?: unknown;
  readonly display?: string | null;
  readonly theme?: string | null;
  readonly appearance?: Appearance | null;
  readonly amount?: number | string | null;
  readonly frequency?: string | null;
  readonly fund?: string | null;
  readonly loading?: string | null;
  readonly analytics?: string | null;
}

/** The properties of the element that `attribute-defaults.ts` applies. */
export type DefaultName = 'frequency' | 'fund' | 'amount' | 'analytics';

/** One opened form: the state that rendering and submitting (`donation-flow.ts`) share. */
export interface FormContext {
  readonly host: FormHost;
  /** URL of the server (BFF). */
  readonly server: string;
  /** The `form` attribute. */
  readonly name: string | null;
  readonly draft: DonationDraft;
  /** Name of the slot for the card fields. */
  readonly slot: string;
  /** Aborted when the element opens another form. */
  readonly signal: AbortSignal;
  readonly viewState: Readonly<ViewState>;
  /** The values of properties that `attribute-defaults.ts` has applied to this form. */
  readonly appliedDefaults: Partial<Record<DefaultName, string>>;
  /** Changes the state and returns it; undefined if the state ignores the event: `form-state.ts`. */
  dispatch(event: FormEvent): FormState | undefined;
  setViewState(change: Partial<Omit<ViewState, 'state'>>): void;
  /** True if this form has replaced one that was out of date. It is not replaced again. */
  readonly isReplacement: boolean;
  /** Shows another form in place of this one, unless a donation is being paid. */
  replaceForm(replacement: Replacement): void;
  /** Shows that the form cannot be used, and why, unless a donation is being paid. */
  fail(error: unknown, createView: CreateLoadErrorView): void;
}

/** A form to show in place of one that is out of date. */
export interface Replacement {
  form: PublicForm;
  /** What the donor has entered so far. */
  values: DonorInput;
  /** Selector of the field that has the focus. */
  focused: string | undefined;
}

/** Creates the view of a form that cannot be used: `load-error-view.ts`. */
export type CreateLoadErrorView = (host: FormHost, error: unknown) => ViewState['loadError'];

/** The input of a form's render functions. */
export interface FormView {
  draft: DonationDraft;
  /** `viewState`, `slot` and `on` are absent in the placeholder. */
  viewState?: ViewState;
  slot?: string;
  on?: {
    /** The pointer is over the form, so the donor may use it soon. */
    approach: () => void;
    interact: () => void;
    change: (change: Partial<DonorInput>) => void;
    submit: (event: Event) => void;
    focusCard: () => void;
  };
}
