import { renderErrorBanner, renderInfoBanner } from './banner-view.ts';
import type { FormContext } from './form-context.ts';
import { focusAfterRender } from './problem-summary.ts';

/** Removes every text about the latest attempt. */
export const NO_MESSAGE = {
  buttonStatus: '',
  progress: '',
  announcement: '',
  banner: undefined,
} as const;

/** Shows messages above the Give button, and announces them to screen readers. */
export class MessageBanner {
  readonly #context: FormContext;
  /** The latest message that is not an error. */
  #info: { banner: ReturnType<typeof renderInfoBanner>; announcement: string } | undefined;

  constructor(context: FormContext) {
    this.#context = context;
  }

  /** The announcement of the information message that is currently shown; empty if there is none. */
  get persistentAnnouncement(): string {
    const { banner } = this.#context.viewState;
    return (banner === this.#info?.banner && this.#info?.announcement) || '';
  }

  /** Shows a message and moves the focus to it. A string is shown as an error. */
  show(content: unknown) {
    const banner = typeof content === 'string' ? renderErrorBanner(content) : content;
    this.#context.setViewState({
      banner: banner as ReturnType<typeof renderInfoBanner>,
      announcement: '',
      buttonStatus: '', // The button is no longer waiting.
    });
    focusAfterRender(this.#context, '#banner');
  }

  /** Shows an information message and announces it to screen readers. The focus does not move. */
  announce(text: string) {
    this.#info = { banner: renderInfoBanner(text), announcement: text };
    this.#context.setViewState(this.#info);
  }
}
