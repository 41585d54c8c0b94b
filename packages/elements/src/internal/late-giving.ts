import type { EmbedForm } from '@connect-embed/contract';
import type { ReactiveControllerHost } from 'lit';
import type { CardStatus } from './donate-view.ts';
import type * as giving from './giving.ts';
import type { Session } from './session.ts';

/** Everything after a press of Give: a file of its own, fetched once the form is drawn. */
type Late = typeof giving;
type Giving = InstanceType<Late['Giving']>;

let forms = 0;

/** Fetches the rest of a gift's path when it is time, and knows how far the card's fields are. */
export class LateGiving {
  /** Name of the slot that the card's fields are handed down to. */
  readonly slot = `connect-card-${++forms}`;
  card: CardStatus = 'idle';
  /** The rest of the path, once it has arrived. */
  late: Late | undefined;
  readonly #host: ReactiveControllerHost & Element;
  #giving: Promise<Giving> | undefined;
  #begin: ((late: Late) => Giving) | undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
  }

  /** A form has been drawn: its gifts go through this session. */
  begin(session: Session, form: EmbedForm, formName: string | null) {
    this.#begin = ({ Giving }) => {
      const owner = { host: this.#host, slot: this.slot, changed: this.#changed };
      return new Giving(owner, session, form, formName);
    };
  }

  /** Fetches the file; tried again when it did not arrive. */
  async fetch(): Promise<Late> {
    const late = await import('./giving.ts');
    if (!this.late) this.#host.shadowRoot?.adoptedStyleSheets.push(late.givingStyles.styleSheet!);
    return (this.late = late);
  }

  /** The card and the gifts of this form. */
  get(): Promise<Giving> {
    this.#giving ??= this.fetch().then((late) => this.#begin!(late));
    this.#giving.catch(() => (this.#giving = undefined));
    return this.#giving;
  }

  /** Draws the card's fields, or tries again to. */
  readonly loadCard = async (amountCents: number | undefined) => {
    this.#changed('loading');
    try {
      (await this.get()).card.load(amountCents);
    } catch (error) {
      console.error(error);
      this.#changed('blocked');
    }
  };

  /** Puts the donor's cursor on the fields as soon as they are there. */
  async focusCard() {
    const { card } = await this.get();
    if (await card.whenDrawn()) card.focus();
  }

  /** Tells the fields the amount, if they are there. */
  update(amountCents: number | undefined) {
    void this.#giving?.then(({ card }) => card.update(amountCents));
  }

  /** The next gift starts with an empty card and a new key. */
  forget() {
    void this.#giving?.then(({ card }) => card.remove());
    this.#giving = undefined;
    this.#changed('idle');
  }

  readonly #changed = (status: CardStatus) => {
    this.card = status;
    this.#host.requestUpdate();
  };
}
