import type { Card } from './card.ts';
import { problemsOf } from './gift-check.ts';
import type { Field, Problems } from './gift-draft.ts';
import { wordsOf } from './messages/give.ts';
import { renderSummary } from './notice-face.ts';
import type { OpenedForm } from './opened-form.ts';

/** What a donor is told to mend, and the way to each place. */
export class ShownProblems {
  readonly #opened: OpenedForm;

  readonly #card: Pick<Card, 'isComplete'>;
  readonly #goToCard: () => void;

  constructor(opened: OpenedForm, card: Pick<Card, 'isComplete'>, goToCard: () => void) {
    this.#opened = opened;
    this.#card = card;
    this.#goToCard = goToCard;
  }

  /** All that is still missing, the card included. */
  get found(): Problems {
    const { draft } = this.#opened;
    const { missingCard } = wordsOf(draft);
    return { ...problemsOf(draft), ...(!this.#card.isComplete && { card: missingCard }) };
  }

  /** A problem leaves as soon as it is solved; a new one waits for Give. */
  update() {
    const { found } = this;
    const { face, show } = this.#opened;
    const shown = Object.keys(face.problems) as Field[];
    const problems = Object.fromEntries(
      shown.flatMap((field) => (found[field] ? [[field, found[field]]] : [])),
    ) as Problems;
    const notice = shown.length ? this.summaryOf(problems) : face.notice;
    show({ problems, notice });
  }

  summaryOf(problems: Problems) {
    return Object.keys(problems).length
      ? renderSummary(problems, this.#opened.draft, (field) => this.#goTo(field))
      : undefined;
  }

  /** To where a problem is mended: what was written, else what there is to choose from. */
  #goTo(field: Field) {
    if (field === 'card') return this.#goToCard();
    const { other } = this.#opened.draft.values;
    const choose = other ? '#other' : 'input[name=amount], #other';
    focusIn(this.#opened, field === 'amount' ? choose : `#${field}`);
  }
}

/** Once it is drawn. */
export function focusIn({ host }: OpenedForm, selector: string) {
  void host.updateComplete.then(() =>
    host.renderRoot.querySelector<HTMLElement>(selector)?.focus(),
  );
}
