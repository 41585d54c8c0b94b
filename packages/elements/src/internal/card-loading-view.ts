import { textsOf } from './messages/donation-flow.ts';
import { renderCardError, renderCardNote } from './banner-view.ts';
import type { CardStatus, FormContext } from './form-context.ts';

/** From here on a donor is told that something takes longer than usual. */
export const SLOW_MS = 6000;

/** Shows how far the card's fields are: loading, still loading, there, or not to be had. */
export class CardLoadingView {
  readonly #context: FormContext;
  readonly #handlers: { retry: () => void; persistentAnnouncement: () => string };
  #slowTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param on.still what stays readable once the card has been announced */
  constructor(
    context: FormContext,
    on: { retry: () => void; persistentAnnouncement: () => string },
  ) {
    this.#context = context;
    this.#handlers = on;
  }

  readonly show = (card: CardStatus) => {
    const { setViewState, formSession, draft } = this.#context;
    const texts = textsOf(draft);
    const cardError =
      card === 'blocked'
        ? renderCardError(texts, formSession.embed_url, this.#handlers.retry)
        : undefined;
    setViewState({ card, cardError });
    this.stop();
    if (card !== 'loading') return this.#showStatus('');
    this.#showStatus(texts.loadingCard);
    this.#slowTimer = setTimeout(() => this.#showStatus(textsOf(draft).slowCard), SLOW_MS);
  };

  /** Says nothing more of its own accord. */
  stop() {
    clearTimeout(this.#slowTimer);
  }

  /** Below the outline of the fields; spoken, too, unless something else is going on. */
  #showStatus(text: string) {
    const { setViewState, viewState } = this.#context;
    setViewState({ cardNote: text ? renderCardNote(text) : undefined });
    if (viewState.status === 'ready' && !viewState.buttonStatus)
      setViewState({ announcement: text || this.#handlers.persistentAnnouncement() });
  }
}
