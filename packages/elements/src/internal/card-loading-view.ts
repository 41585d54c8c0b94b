import { wordsOf } from './messages/give.ts';
import { renderBlocked, renderCardNote } from './notice-face.ts';
import type { CardStatus, OpenedForm } from './opened-form.ts';

/** From here on a donor is told that something takes longer than usual. */
export const SLOW_MS = 6000;

/** Shows how far the card's fields are: loading, still loading, there, or not to be had. */
export class CardLoadingView {
  readonly #opened: OpenedForm;
  readonly #on: { retry: () => void; still: () => string };
  #slow: ReturnType<typeof setTimeout> | undefined;

  /** @param on.still what stays readable once the card has been announced */
  constructor(opened: OpenedForm, on: { retry: () => void; still: () => string }) {
    this.#opened = opened;
    this.#on = on;
  }

  readonly show = (card: CardStatus) => {
    const { show, answer, draft } = this.#opened;
    const texts = wordsOf(draft);
    const blocked =
      card === 'blocked' ? renderBlocked(texts, answer.embed_url, this.#on.retry) : undefined;
    show({ card, blocked });
    this.stop();
    if (card !== 'loading') return this.#say('');
    this.#say(texts.loadingCard);
    this.#slow = setTimeout(() => this.#say(wordsOf(draft).slowCard), SLOW_MS);
  };

  /** Says nothing more of its own accord. */
  stop() {
    clearTimeout(this.#slow);
  }

  /** Below the outline of the fields; spoken, too, unless something else is going on. */
  #say(text: string) {
    const { show, face } = this.#opened;
    show({ cardNote: text ? renderCardNote(text) : undefined });
    if (face.status === 'ready' && !face.busy) show({ spoken: text || this.#on.still() });
  }
}
