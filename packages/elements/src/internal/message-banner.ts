import { renderErrorBanner } from './form-view.ts';
import { renderInfoBanner } from './banner-view.ts';
import { focusAfterRender } from './problem-summary.ts';
import type { FormContext } from './form-context.ts';

/** The view state in which a donor can fill in the form and press Give. */
export const READY_STATE = {
  status: 'ready',
  buttonStatus: '',
  progress: '',
  announcement: '',
  banner: undefined,
} as const;

/** The message above the button, and what screen readers announce. */
export class MessageBanner {
  readonly #context: FormContext;
  /** The latest information that is no problem. */
  #info: { banner: ReturnType<typeof renderInfoBanner>; announcement: string } | undefined;

  constructor(context: FormContext) {
    this.#context = context;
  }

  /** What stays announced as long as the information is shown. */
  get persistentAnnouncement(): string {
    const { banner } = this.#context.viewState;
    return (banner === this.#info?.banner && this.#info?.announcement) || '';
  }

  /** Shows a banner, or a text as an error, and moves the focus to it. */
  show(content: unknown) {
    const banner = typeof content === 'string' ? renderErrorBanner(content) : content;
    this.#context.setViewState({
      banner: banner as ReturnType<typeof renderInfoBanner>,
      announcement: '',
    });
    focusAfterRender(this.#context, '#notice');
  }

  /** Shows information, which a screen reader announces once; the focus stays where it is. */
  announce(text: string) {
    this.#info = { banner: renderInfoBanner(text), announcement: text };
    this.#context.setViewState(this.#info);
  }
}
