import { html, nothing, type TemplateResult } from 'lit';
import { renderAmount, renderFrequencies } from './amount-view.ts';
import { renderCard } from './card-view.ts';
import { renderFee, renderFunds, renderMore } from './choices-view.ts';
import { renderText } from './donor-view.ts';
import { fill } from './fill.ts';
import type { GiftDraft, Values } from './gift-draft.ts';
import type { Face } from './opened-form.ts';

/** Everything that the form is drawn from. */
export interface FormView {
  draft: GiftDraft;
  /** Absent in a form that is only an outline, as is what the donor does. */
  face?: Face;
  slot?: string;
  on?: {
    act: () => void;
    set: (change: Partial<Values>) => void;
    give: (event: Event) => void;
    pressCard: () => void;
  };
}

/** The form itself. Its fields keep their values through every failure. */
export const renderForm = (view: FormView) => html`
  <form
    novalidate
    aria-labelledby="title"
    @submit=${view.on?.give}
    @focusin=${view.on?.act}
    @pointerdown=${view.on?.act}
    @input=${view.on?.act}
  >
    <div class="fields" ?inert=${isGiving(view)}>
      ${renderFrequencies(view)} ${renderAmount(view)} ${renderFunds(view)} ${view.face?.wallet}
      <fieldset>
        <legend>${view.draft.texts.details}</legend>
        ${renderText(view, 'name', 'text', 200)} ${renderText(view, 'email', 'email', 254)}
        ${renderMore(view)}
      </fieldset>
      ${renderCard(view)} ${renderFee(view)}
    </div>
    ${view.face?.trap} ${view.face?.notice} ${renderGive(view)}
    <p class="fine">${lock}<span>${view.face?.step || view.draft.texts.secure}</span></p>
  </form>
`;

const isGiving = ({ face }: FormView) => face?.status === 'giving';

/** Focus comes here when a gift did not go through, so that it is read and seen at once. */
export const renderProblemNotice = (content: unknown) =>
  html`<div class="notice bad" id="notice" tabindex="-1" part="notice">${content}</div>`;

function renderGive(view: FormView) {
  const { draft, face } = view;
  return html`<button
    class="give"
    part="button"
    type="submit"
    aria-disabled=${isGiving(view) || nothing}
  >
    ${face?.busy ? html`<i class="spinner"></i>${face.busy}` : giveText(draft)}
  </button>`;
}

/** What the button does: the amount, and how often. */
function giveText(draft: GiftDraft): string {
  const { totalCents, texts, values } = draft;
  const { frequency } = values;
  if (!totalCents) return texts.giveAny;
  const often = frequency !== 'one_time' ? (`give_${frequency}` as const) : 'give';
  return fill(texts[often], { amount: draft.money(totalCents) });
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
