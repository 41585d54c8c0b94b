import type { FormSession } from '@connect-embed/contract';
import type { LitElement, TemplateResult } from 'lit';
import type { DonationDraft, Problems } from './donation-draft.ts';
import type { EmbedSession } from './embed-session.ts';

/** `idle` until the donor acts; `blocked` when the processor's script cannot be had. */
export type CardStatus = 'idle' | 'loading' | 'ready' | 'blocked';

/** Everything of the element that changes while a donor looks at it. */
export interface ViewState {
  status: 'loading' | 'ready' | 'giving' | 'done' | 'failed';
  card: CardStatus;
  problems: Problems;
  /** What a screen reader is told when nothing takes the focus. */
  announcement: string;
  /** On the button while it works. */
  buttonStatus: string;
  /** Below the button while it works: what is being waited for. */
  progress: string;
  /** Above the button: what happened, and what to do. */
  banner: TemplateResult | undefined;
  /** The honeypot field, once the code for giving is there. */
  honeypot: TemplateResult | undefined;
  /** Below the outline of the card's fields while they are loading. */
  cardNote: TemplateResult | undefined;
  /** The wallet's buttons, above the donor's details, once the card is loading. */
  wallet: TemplateResult | undefined;
  /** In the card's place when its fields cannot be had. */
  cardError: TemplateResult | undefined;
  /** In the form's place when the gift is made. */
  thankYou: TemplateResult | undefined;
}

export const LOADING_STATE: ViewState = {
  status: 'loading',
  card: 'idle',
  problems: {},
  announcement: '',
  buttonStatus: '',
  progress: '',
  banner: undefined,
  honeypot: undefined,
  cardNote: undefined,
  wallet: undefined,
  cardError: undefined,
  thankYou: undefined,
};

/** One opened form: all that drawing it (here) and giving through it (`donations.ts`) share. */
export interface FormContext {
  readonly host: LitElement;
  /** The form's name, as the page says it. */
  readonly name: string | null;
  readonly formSession: FormSession;
  readonly session: EmbedSession;
  readonly draft: DonationDraft;
  /** Name of the slot that the card's fields are handed down to. */
  readonly slot: string;
  /** Aborted when the element opens another form. */
  readonly signal: AbortSignal;
  readonly viewState: Readonly<ViewState>;
  setViewState(change: Partial<ViewState>): void;
}
