import { presetsOf } from '@connect-embed/contract/settle-gift';
import type { GiftDraft, Values } from './gift-draft.ts';
import { readStored, writeStored } from './gift-record.ts';
import { urlWithoutReturn } from './gift-return.ts';

/**
 * What a donor has chosen and typed, for as long as the tab is open: a reload or the way back loses
 * none of it. Saved by form and page, from the donor's first input on and never before; cleared when
 * the donation is made. Never card data: those are in the processor's frame.
 */
export class StoredDraft {
  readonly #name: string;

  constructor(server: string, form: string | null) {
    const { origin, pathname, search } = urlWithoutReturn();
    this.#name = `draft ${server} ${form ?? ''} ${origin}${pathname}${search}`;
  }

  save(values: Values) {
    writeStored('sessionStorage', this.#name, values);
  }

  clear() {
    writeStored('sessionStorage', this.#name, undefined);
  }

  /** Fills in what was saved, as far as the form still takes it. */
  restore(draft: GiftDraft) {
    const saved = readStored<Values>('sessionStorage')[this.#name];
    if (!saved) return;
    const { terms } = draft.form;
    const { frequency, chosen, fund, coverFee, ...rest } = saved;
    if (terms.frequencies.includes(frequency)) draft.set({ frequency });
    if (terms.fund_choices.some(({ id }) => id === fund)) draft.set({ fund });
    if (terms.fee_cover !== 'off') draft.set({ coverFee });
    draft.set(rest);
    if (chosen && presetsOf(terms, draft.values.frequency).includes(chosen)) draft.set({ chosen });
  }
}
