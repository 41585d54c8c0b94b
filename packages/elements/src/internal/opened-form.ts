import type { FormSession } from '@connect-embed/contract';
import type { LitElement, TemplateResult } from 'lit';
import type { GiftDraft, Problems } from './gift-draft.ts';
import type { Session } from './session.ts';

/** `idle` until the donor acts; `blocked` when the processor's script cannot be had. */
export type CardStatus = 'idle' | 'loading' | 'ready' | 'blocked';

/** Everything of the element that changes while a donor looks at it. */
export interface Face {
  status: 'loading' | 'ready' | 'giving' | 'done' | 'failed';
  card: CardStatus;
  problems: Problems;
  /** What a screen reader is told when nothing takes the focus. */
  spoken: string;
  /** On the button while it works. */
  busy: string;
  /** Below the button while it works: what is being waited for. */
  step: string;
  /** Above the button: what happened, and what to do. */
  notice: TemplateResult | undefined;
  /** The honeypot field, once the code for giving is there. */
  trap: TemplateResult | undefined;
  /** Below the outline of the card's fields while they are loading. */
  cardNote: TemplateResult | undefined;
  /** The wallet's buttons, above the donor's details, once the card is loading. */
  wallet: TemplateResult | undefined;
  /** In the card's place when its fields cannot be had. */
  blocked: TemplateResult | undefined;
  /** In the form's place when the gift is made. */
  thanks: TemplateResult | undefined;
}

export const LOADING: Face = {
  status: 'loading',
  card: 'idle',
  problems: {},
  spoken: '',
  busy: '',
  step: '',
  notice: undefined,
  trap: undefined,
  cardNote: undefined,
  wallet: undefined,
  blocked: undefined,
  thanks: undefined,
};

/** One opened form: all that drawing it (here) and giving through it (`donations.ts`) share. */
export interface OpenedForm {
  readonly host: LitElement;
  /** The form's name, as the page says it. */
  readonly name: string | null;
  readonly answer: FormSession;
  readonly session: Session;
  readonly draft: GiftDraft;
  /** Name of the slot that the card's fields are handed down to. */
  readonly slot: string;
  /** Aborted when the element opens another form. */
  readonly signal: AbortSignal;
  readonly face: Readonly<Face>;
  show(change: Partial<Face>): void;
}
