import type { CardFields } from './card-fields.ts';
import { findProblems } from './validate-donation.ts';
import type { Field, Problems } from './donation-draft.ts';
import { textsOf } from './messages/donation-flow.ts';
import { renderProblemSummary } from './banner-view.ts';
import type { FormContext } from './form-context.ts';

/** What a donor is told to mend, and the way to each place. */
export class ProblemSummary {
  readonly #context: FormContext;

  readonly #cardFields: Pick<CardFields, 'isComplete'>;
  readonly #goToCard: () => void;

  constructor(context: FormContext, card: Pick<CardFields, 'isComplete'>, goToCard: () => void) {
    this.#context = context;
    this.#cardFields = card;
    this.#goToCard = goToCard;
  }

  /** All that is still missing, the card included. */
  get currentProblems(): Problems {
    const { draft } = this.#context;
    const { missingCard } = textsOf(draft);
    return { ...findProblems(draft), ...(!this.#cardFields.isComplete && { card: missingCard }) };
  }

  /** A problem leaves as soon as it is solved; a new one waits for Give. */
  update() {
    const { currentProblems } = this;
    const { viewState, setViewState } = this.#context;
    const shown = Object.keys(viewState.problems) as Field[];
    const problems = Object.fromEntries(
      shown.flatMap((field) => (currentProblems[field] ? [[field, currentProblems[field]]] : [])),
    ) as Problems;
    const banner = shown.length ? this.renderSummary(problems) : viewState.banner;
    setViewState({ problems, banner });
  }

  renderSummary(problems: Problems) {
    return Object.keys(problems).length
      ? renderProblemSummary(problems, this.#context.draft, (field) => this.#focusField(field))
      : undefined;
  }

  /** To where a problem is mended: what was written, else what there is to choose from. */
  #focusField(field: Field) {
    if (field === 'card') return this.#goToCard();
    const { other } = this.#context.draft.values;
    const choose = other ? '#other' : 'input[name=amount], #other';
    focusAfterRender(this.#context, field === 'amount' ? choose : `#${field}`);
  }
}

/** Once it is drawn. */
export function focusAfterRender({ host }: FormContext, selector: string) {
  void host.updateComplete.then(() =>
    host.renderRoot.querySelector<HTMLElement>(selector)?.focus(),
  );
}
