import type { Frequency } from '@connect-embed/contract';
import { normalizeEmail } from '@connect-embed/contract/email-address';
import type { FlowContext } from './flow-context.ts';
import { readAmount } from './validate-donation.ts';

const TEXT_FIELDS = ['name', 'email', 'other', 'dedication', 'comment'] as const;
const CHECKBOXES = ['coverFee', 'anonymous'] as const;

/** What reading the fields needs of an opened form. */
type Fields = Pick<FlowContext, 'host' | 'draft' | 'language'>;

/**
 * Takes over what the fields show where it differs from the draft. Called before a payment.
 *
 * Password managers and form fillers set values without an `input` event, so the draft does not know them.
 * What is sent must be what the donor sees.
 *
 * @returns false if the total is now another one than the button shows
 */
export function readFields(fields: Fields): boolean {
  const { draft } = fields;
  const shownCents = draft.totalCents;
  // Until a change is rendered, the fields show the values before it.
  if (!fields.host.isUpdatePending) readValues(fields);
  // The field shows the address as it is sent.
  draft.update({ email: normalizeEmail(draft.values.email) });
  readTypedAmount(fields);
  return !shownCents || !draft.totalCents || shownCents === draft.totalCents;
}

/** Updates the draft's amount from the text that the donor has typed. */
export function readTypedAmount({ draft, language }: Pick<Fields, 'draft' | 'language'>) {
  draft.typedCents = readAmount(draft, language.messages).cents;
}

function readValues({ host, draft }: Fields) {
  const { values } = draft;
  const find = (selector: string) =>
    host.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(selector);
  const fund = find('#fund')?.value;
  if (fund !== undefined && fund !== values.fund) draft.update({ fund });
  for (const name of CHECKBOXES) {
    const box = find(`[name=${name}]`) as HTMLInputElement | null;
    if (box && box.checked !== values[name]) draft.update({ [name]: box.checked });
  }
  // Before the amount, because another frequency may have other preset amounts.
  const frequency = find('[name=frequency]:checked')?.value as Frequency | undefined;
  if (frequency && frequency !== values.frequency) draft.update({ frequency });
  const preset = Number(find('[name=amount]:checked')?.value);
  if (preset && preset !== values.presetCents) draft.update({ presetCents: preset });
  for (const name of TEXT_FIELDS) {
    const text = find(`#${name}`)?.value;
    if (text !== undefined && text !== values[name]) draft.update({ [name]: text });
  }
}
