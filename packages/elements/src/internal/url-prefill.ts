import type { Frequency } from '@connect-embed/contract';
import type { DonationDraft } from './donation-draft.ts';

/**
 * Fills in what the page's address says, for the keys that the form allows and no others. What it
 * says is only a proposal: the donor sees it, and the form's terms hold as ever.
 */
export function prefillFromUrl(draft: DonationDraft, parameters: URLSearchParams) {
  const { prefill_from_url: allowed } = draft.form.terms;
  for (const [key, fillField] of Object.entries(fillers)) {
    const text = allowed.includes(key as Key) && parameters.get(key)?.trim();
    if (text) fillField(draft, text);
  }
}

type Key = DonationDraft['form']['terms']['prefill_from_url'][number];

const fillers: Record<Key, (draft: DonationDraft, text: string) => void> = {
  donor_name: (draft, text) => draft.update({ name: text.slice(0, 200) }),
  donor_email: (draft, text) => draft.update({ email: text.slice(0, 254) }),
  frequency(draft, text) {
    const { frequencies } = draft.form.terms;
    if (frequencies.includes(text as Frequency)) draft.update({ frequency: text as Frequency });
  },
  fund_id(draft, text) {
    if (draft.form.terms.fund_choices.some(({ id }) => id === text)) draft.update({ fund: text });
  },
  // After the frequency, which may offer other amounts.
  amount_cents(draft, text) {
    const { amount_locked, min_amount_cents: min, max_amount_cents: max } = draft.form.terms;
    const cents = /^\d{1,8}$/.test(text) ? Number(text) : 0;
    if (amount_locked ? draft.presets.includes(cents) : cents >= min && cents <= max) {
      draft.chooseAmount(cents);
    }
  },
};
