import { presetAmountsFor } from '@connect-embed/contract/apply-donation-terms';
import type { DonationDraft, DonorInput } from './donation-draft.ts';
import { readStored, writeStored } from './browser-storage.ts';
import { urlWithoutReturn } from './redirect-return.ts';

/**
 * Stores the donor's input until the tab is closed, so that it survives a reload and the Back button. It is
 * stored for each form and page, starting with the donor's first input, and removed after the donation.
 * It never contains card data, which only the processor's frame has.
 */
export class StoredDraft {
  readonly #name: string;

  constructor(server: string, form: string | null) {
    const { origin, pathname, search } = urlWithoutReturn();
    this.#name = `draft ${server} ${form ?? ''} ${origin}${pathname}${search}`;
  }

  save(values: DonorInput) {
    writeStored('sessionStorage', this.#name, values);
  }

  clear() {
    writeStored('sessionStorage', this.#name, undefined);
  }

  /** Fills in the stored input. */
  restore(draft: DonationDraft) {
    const saved = readStored<DonorInput>('sessionStorage')[this.#name];
    if (saved) restoreInput(draft, saved);
  }
}

/** Fills in earlier input, except values that the form no longer offers. */
export function restoreInput(draft: DonationDraft, input: DonorInput) {
  const { terms } = draft.form;
  const { frequency, presetCents, fund, coverFee, ...rest } = input;
  if (terms.frequencies.includes(frequency)) draft.update({ frequency });
  if (terms.fund_choices.some(({ id }) => id === fund)) draft.update({ fund });
  if (terms.fee_cover !== 'off') draft.update({ coverFee });
  draft.update(rest);
  if (presetCents && presetAmountsFor(terms, draft.values.frequency).includes(presetCents))
    draft.update({ presetCents });
}
