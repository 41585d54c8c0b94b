import { html, nothing, type TemplateResult } from 'lit';
import type { Field, GiftDraft, Problems } from './gift-draft.ts';
import { donateTexts as texts } from './messages/donate.ts';

/** `idle` until the donor acts; `blocked` when the processor's script cannot be had. */
export type CardStatus = 'idle' | 'loading' | 'ready' | 'blocked';

/** What the form says above its button, and whether it is a problem. */
export interface Notice {
  text: string;
  tone: 'problem' | 'info';
  /** Seconds left until the next try, shown ticking. */
  seconds?: number;
}

/** Everything that the form face is drawn from. */
export interface FormView {
  draft: GiftDraft;
  /** Undefined while it is no amount that the form takes. */
  amountCents?: number | undefined;
  problems: Problems;
  notice?: Notice | undefined;
  giving: boolean;
  card: { status: CardStatus; slot: string; hostedUrl: string };
  /** What the donor does; nothing in a form that is only an outline. */
  on?: {
    submit: (event: SubmitEvent) => void;
    act: () => void;
    choose: (cents: number) => void;
    type: (field: 'other' | 'name' | 'email', text: string) => void;
    pressCard: () => void;
    retryCard: () => void;
  };
}

/** The form itself. Its fields keep their values through every failure. */
export const renderForm = (view: FormView) => html`
  <form
    novalidate
    aria-labelledby="title"
    @submit=${view.on?.submit}
    @focusin=${view.on?.act}
    @pointerdown=${view.on?.act}
    @input=${view.on?.act}
  >
    <div class="fields" ?inert=${view.giving}>
      ${renderAmount(view)} ${renderDonor(view)} ${renderCard(view)}
    </div>
    ${renderNotice(view.notice)} ${renderGive(view)}
    <p class="fine">${lock}<span>${texts.secure}</span></p>
  </form>
`;

function renderAmount(view: FormView) {
  const { draft, problems } = view;
  const { preset_amounts_cents: presets, amount_locked: locked } = draft.form.terms;
  const described = problems.amount ? 'amount-problem' : locked ? nothing : 'amount-hint';
  return html`<fieldset
    class=${problems.amount && !draft.other ? 'invalid' : nothing}
    aria-describedby=${described}
  >
    <legend>${texts.amount}</legend>
    ${
      presets.length
        ? html`<div class="presets">${presets.map((cents) => renderPreset(view, cents))}</div>`
        : nothing
    }
    ${locked ? nothing : renderOther(view, presets.length ? texts.otherAmount : texts.anyAmount)}
    ${
      problems.amount
        ? renderProblem('amount', problems.amount)
        : html`<p class="hint" id="amount-hint">${locked ? '' : draft.amountHint}</p>`
    }
  </fieldset>`;
}

const renderPreset = ({ draft, on }: FormView, cents: number) =>
  html`<label class="preset">
    <input
      type="radio"
      name="amount"
      value=${cents}
      .checked=${draft.chosen === cents}
      @change=${() => on?.choose(cents)}
    />
    <span>${draft.money(cents)}</span>
  </label>`;

function renderOther({ draft, problems, on }: FormView, label: string) {
  const { symbol, after } = currencyMark(draft);
  const mark = html`<span class="mark" aria-hidden="true">${symbol}</span>`;
  return html`<div class="field">
    <label for="other">${label}</label>
    <div class="box">
      ${after ? nothing : mark}
      <input
        id="other"
        name="other"
        inputmode="decimal"
        autocomplete="transaction-amount"
        maxlength="20"
        .value=${draft.other}
        aria-invalid=${problems.amount ? 'true' : nothing}
        aria-describedby=${problems.amount ? 'amount-problem' : 'amount-hint'}
        @input=${(event: InputEvent) => on?.type('other', valueOf(event))}
      />
      ${after ? mark : nothing}
    </div>
  </div>`;
}

const renderDonor = (view: FormView) =>
  html`<fieldset class="donor">
    <legend>${texts.details}</legend>
    ${renderText(view, 'name', 'text', 'name', 200)}
    ${renderText(view, 'email', 'email', 'email', 254)}
  </fieldset>`;

function renderText(
  { draft, problems, on }: FormView,
  field: 'name' | 'email',
  type: 'text' | 'email',
  autocomplete: 'name' | 'email',
  maxLength: number,
) {
  const problem = problems[field];
  return html`<div class="field">
    <label for=${field}>${texts[field]} <span class="required">${texts.required}</span></label>
    <div class="box">
      <input
        id=${field}
        name=${field}
        type=${type}
        required
        autocomplete=${autocomplete}
        maxlength=${maxLength}
        .value=${draft[field]}
        aria-invalid=${problem ? 'true' : nothing}
        aria-describedby=${problem ? `${field}-problem` : nothing}
        @input=${(event: InputEvent) => on?.type(field, valueOf(event))}
      />
    </div>
    ${renderProblem(field, problem)}
  </div>`;
}

function renderCard({ card, on }: FormView) {
  const drawn = card.status === 'ready';
  return html`<fieldset class="card" aria-busy=${card.status === 'loading' ? 'true' : 'false'}>
    <legend>${texts.card}</legend>
    ${
      card.status === 'blocked'
        ? html`<div class="blocked" role="alert">
            <strong>${texts.cardBlocked}</strong>
            <p>${texts.cardBlockedHint}</p>
            <p class="actions">
              <button type="button" class="quiet" @click=${on?.retryCard}>${texts.retry}</button>
              <a href=${card.hostedUrl} target="_blank" rel="noopener">${texts.hostedPage}</a>
            </p>
          </div>`
        : html`<div class="stage">
            ${drawn ? nothing : renderOutline(on?.pressCard)}
            <div class=${drawn ? 'place' : 'place waiting'}><slot name=${card.slot}></slot></div>
          </div>`
    }
  </fieldset>`;
}

/** Stands where the processor's fields will, at their size, until the donor acts. */
const renderOutline = (onPress?: () => void) =>
  html`<div class="outline" aria-hidden="true" @pointerdown=${onPress}>
    <span class="line long">${texts.cardNumber}</span>
    <span class="line">${texts.cardExpiry}</span>
    <span class="line">${texts.cardCode}</span>
  </div>`;

function renderGive({ draft, amountCents, giving }: FormView) {
  const amount = amountCents === undefined ? undefined : draft.money(amountCents);
  return html`<button
    class="give"
    part="button"
    type="submit"
    aria-disabled=${giving ? 'true' : nothing}
  >
    ${giving ? html`<i class="spinner"></i>${texts.giving(amount ?? '')}` : texts.give(amount)}
  </button>`;
}

/** Focus comes here when a gift did not go through, so that it is read and seen at once. */
const renderNotice = (notice: Notice | undefined) =>
  notice
    ? html`<div
        class="notice ${notice.tone === 'problem' ? 'bad' : ''}"
        id="notice"
        tabindex="-1"
        part="notice"
      >
        ${notice.text}
        ${
          notice.seconds === undefined
            ? nothing
            : html`<span aria-hidden="true">${texts.busyWait(notice.seconds)}</span>`
        }
      </div>`
    : nothing;

const renderProblem = (field: Field, problem: string | undefined) =>
  problem ? html`<p class="problem" id="${field}-problem">${problem}</p>` : nothing;

const valueOf = (event: InputEvent) => (event.target as HTMLInputElement).value;

/** The currency's sign, and whether the language writes it behind the number. */
function currencyMark({ form, language }: GiftDraft): { symbol: string; after: boolean } {
  const currency = form.currency.toUpperCase();
  const parts = new Intl.NumberFormat(language, { style: 'currency', currency }).formatToParts(1);
  const at = parts.findIndex(({ type }) => type === 'currency');
  return { symbol: parts[at]?.value ?? currency, after: at > 0 };
}

const lock: TemplateResult = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path
    d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M4 7h8a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
  />
</svg>`;
