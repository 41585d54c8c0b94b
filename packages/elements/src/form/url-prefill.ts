import type { Frequency } from '@connect-embed/contract';
import type { DonationDraft } from './donation-draft.ts';

/**
 * Prefills the form from the page's query parameters, as far as the form's terms allow each key.
 * The values are only defaults: the donor sees them, and the form validates them like any input.
 */
export function prefillFromUrl(draft: DonationDraft, parameters: URLSearchParams) {
  const { prefill_from_url: allowed } = draft.form.terms;
  for (const [key, fillField] of Object.entries(FILL_FIELD)) {
    const text = allowed.includes(key as Key) && parameters.get(key)?.trim();
    if (text) fillField(draft, text);
  }
}

type Key = DonationDraft['form']['terms']['prefill_from_url'][number];

const FILL_FIELD: Record<Key, (draft: DonationDraft, text: string) => void> = {
  donor_name: (draft, text) => draft.update({ name: text.slice(0, 200) }),
  donor_email: (draft, text) => draft.update({ email: text.slice(0, 254) }),
  frequency(draft, text) {
    const { frequencies } = draft.form.terms;
    if (frequencies.includes(text as Frequency)) draft.update({ frequency: text as Frequency });
  },
  fund_id(draft, text) {
    if (draft.form.terms.fund_choices.some(({ id }) => id === text)) draft.update({ fund: text });
  },
  // After the frequency, because another frequency may have other preset amounts.
  amount_cents(draft, text) {
    const { amount_locked, min_amount_cents: min, max_amount_cents: max } = draft.form.terms;
    const cents = /^\d{1,8}$/.test(text) ? Number(text) : 0;
    if (amount_locked ? draft.presets.includes(cents) : cents >= min && cents <= max) {
      draft.chooseAmount(cents);
    }
  },
};
