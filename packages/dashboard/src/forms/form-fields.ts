import {
  fitsCurrency,
  FormSlug,
  FREQUENCIES,
  MAX_FORM_TEXTS,
  type Frequency,
} from '@connect-embed/contract';
import { PAYMENT_METHOD_LABELS } from '@connect-embed/api/resources/donations/payment-method';
import { defaultColor, type ColorSetting } from '@connect-embed/api/lib/form-colors';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import type { Choice } from '../pages/field-view.ts';
import {
  hiddenNumber,
  money,
  multilineText,
  oneOf,
  onlyIf,
  recordId,
  required,
  someOf,
  text,
  url,
  visibleText,
  yesOrNo,
  type FieldOptions,
  type InputOf,
} from '../pages/field-types.ts';
import type { FormFields } from '../pages/fields.ts';
import { OPTIONAL_METHODS } from '../payments/payment-methods.ts';
import { amountRows, impactTexts } from './amount-rows.ts';
import { color } from './color-field.ts';
import { colorNote } from './color-note.ts';
import { FREQUENCY_LABELS } from './frequency-labels.ts';
import { pageFields, type EditedPicture } from './page-fields.ts';

/** The funds and campaigns that a form can have. */
export interface FundAndCampaignChoices {
  funds: readonly Choice[];
  campaigns: readonly (Choice & { hasGoal: boolean })[];
}

const FREQUENCY_CHOICES = FREQUENCIES.map((value) => ({ value, text: FREQUENCY_LABELS[value] }));

/**
 * The fields of the form editor. A field with the name of a setting is saved as that setting, so one more
 * option of the page needs a property of the contract's schema and a field here; one more term also a line in
 * `completeTerms`.
 */
export const editorFields = (
  { currency, organizationName }: MembershipWithSettings,
  { funds, campaigns }: FundAndCampaignChoices,
  picture: EditedPicture = null,
) => ({
  name: required(
    text({ heading: 'Name and purpose', label: 'Name', hint: 'Donors do not see it.', max: 100 }),
  ),
  draft_revision: hiddenNumber(),
  fund_mode: oneOf({
    label: 'Fund',
    choices: {
      none: { text: 'No fund' },
      fixed: { text: 'One fund', hint: 'Every donation is for it.' },
      choice: { text: 'Donors choose', hint: 'From the funds that you select.' },
    },
  }),
  fund_id: onlyIf(
    ['fund_mode', 'fixed'],
    required(
      recordId({ label: 'Fund of every donation', none: 'Select a fund', choices: funds }),
      'Select a fund.',
    ),
  ),
  fund_choice_ids: onlyIf(
    ['fund_mode', 'choice'],
    someOf({ label: 'Funds to choose from', choices: funds, problem: 'Select at least one fund.' }),
  ),
  campaign_id: recordId({
    label: 'Campaign',
    hint: 'Donations count towards its goal.',
    none: 'No campaign',
    choices: campaigns,
  }),
  show_goal: {
    ...yesOrNo({
      label: 'Show the goal',
      hint: 'The form shows what the campaign has raised of its goal.',
    }),
    // Without a campaign there is nothing to show.
    read: (form: FormFields, name: string) =>
      form.checked(name) && form.text('campaign_id') !== null,
  },
  heading: visibleText({
    heading: 'Title and introduction',
    label: 'Title',
    hint: `Leave empty for “Support ${organizationName}”. ${EVERY_LANGUAGE}`,
    max: MAX_FORM_TEXTS.heading,
  }),
  intro: multilineText({
    label: 'Introduction',
    hint: 'One or two sentences below the title.',
    max: MAX_FORM_TEXTS.intro,
  }),
  button: visibleText({
    label: 'Button',
    hint: 'Leave empty for “Give”. Once a donor has chosen an amount, the button says “Give $50” in the donor’s language.',
    max: MAX_FORM_TEXTS.button,
  }),
  frequencies: someOf({
    heading: 'Frequency',
    label: 'How often',
    choices: FREQUENCY_CHOICES,
    problem: 'Select at least one.',
  }),
  default_frequency: {
    ...recordId({
      label: 'Frequency selected at first',
      none: 'The first of these',
      choices: FREQUENCY_CHOICES,
    }),
    read: (form: FormFields, name: string) =>
      FREQUENCIES.find((value) => value === form.value(name)) ?? null,
  },
  preset_amounts_cents: amountRows({
    heading: 'Amounts',
    label: 'Amounts to choose from',
    hint: 'Beside an amount, say what it achieves: a week of school lunches.',
    currency,
  }),
  preset_impacts: impactTexts(),
  monthly_amounts_cents: amountRows(otherAmounts('monthly', currency)),
  monthly_impacts: impactTexts(),
  quarterly_amounts_cents: amountRows(otherAmounts('quarterly', currency)),
  quarterly_impacts: impactTexts(),
  yearly_amounts_cents: amountRows(otherAmounts('yearly', currency)),
  yearly_impacts: impactTexts(),
  default_amount_cents: money({ label: 'Amount selected at first', currency, min: 1, half: true }),
  min_amount_cents: money({ label: 'Smallest donation', currency, min: 1, half: true }),
  max_amount_cents: money({ label: 'Largest donation', currency, min: 1, half: true }),
  amount_locked: yesOrNo({
    label: 'Only these amounts',
    hint: 'Donors cannot enter another amount.',
  }),
  allow_dedication: yesOrNo({
    heading: 'What donors can add',
    label: 'Dedication',
    hint: 'In honor or in memory of somebody.',
    half: true,
  }),
  allow_anonymous: yesOrNo({
    label: 'Anonymous',
    hint: 'Donors can ask not to be named.',
    half: true,
  }),
  allow_comment: yesOrNo({
    label: 'Message',
    hint: 'Donors can write a message to you.',
    half: true,
  }),
  fee_cover: oneOf({
    heading: 'Payment',
    label: 'Processing fee',
    choices: {
      off: { text: 'Not offered' },
      offered: { text: 'Offered', hint: 'Donors can add the fee to their donation.' },
      preselected: { text: 'Selected at first', hint: 'Donors can remove it.' },
    },
  }),
  fee_cover_fixed_cents: money({
    label: 'Fixed part of the fee',
    hint: 'Processors charge a percentage and a fixed amount, in the United States usually 2.9 % and $0.30. Enter the fixed amount in your currency.',
    currency,
  }),
  method_mode: oneOf({
    label: 'Payment methods',
    choices: {
      organization: { text: 'As for the organization', hint: 'Chosen under Payments.' },
      own: { text: 'Only for this form', hint: 'Cards and wallets are always offered.' },
    },
  }),
  payment_method_types: onlyIf(
    ['method_mode', 'own'],
    someOf({ label: 'Besides cards and wallets', choices: methodChoices(currency) }),
  ),
  thank_you: multilineText({
    heading: 'Thank you',
    label: 'Thank-you text',
    hint: `Below the confirmation of the donation. ${EVERY_LANGUAGE}`,
    max: MAX_FORM_TEXTS.thank_you,
  }),
  success_url: url({
    label: 'Thank-you page on your website',
    hint: 'Donors are sent there instead of seeing the thank-you text.',
  }),
  ...pageFields(organizationName, picture),
  display: oneOf({
    heading: 'On your website',
    label: 'What visitors see',
    hint: 'The code for your website contains this choice. Copy it again after you have published another one.',
    choices: {
      inline: { text: 'The form', hint: 'It is part of the page.' },
      button: { text: 'A button', hint: 'It opens the form in a window above the page.' },
      sticky: { text: 'A button that stays in view', hint: 'While visitors scroll the page.' },
      modal: { text: 'A link on your page', hint: 'It opens the form. Nothing else is shown.' },
    },
  }),
  slug: text({
    label: 'Name in pages',
    hint: 'Lowercase letters, digits and hyphens. It cannot be changed after the form was published.',
    max: FormSlug.maxLength!,
  }),
  accent_color: formColor('accent_color', {
    heading: 'Colors and font',
    label: 'Accent color',
    hint: 'For buttons and selected amounts. Leave empty for green.',
  }),
  accent_color_dark: formColor('accent_color_dark', {
    label: 'Accent color, dark',
    hint: 'For the dark theme. Leave empty to lighten the accent color where needed.',
  }),
  background_color: formColor('background_color', {
    label: 'Background',
    hint: 'Leave empty for white.',
  }),
  background_color_dark: formColor('background_color_dark', {
    label: 'Background, dark',
    hint: 'For the dark theme. Leave empty for nearly black.',
  }),
  text_color: formColor('text_color', {
    label: 'Text color',
    hint: 'Leave empty for nearly black.',
  }),
  text_color_dark: formColor('text_color_dark', {
    label: 'Text color, dark',
    hint: 'For the dark theme. Leave empty for nearly white.',
  }),
  theme: oneOf({
    label: 'Theme',
    choices: {
      page: { text: 'As your page declares' },
      light: { text: 'Light' },
      dark: { text: 'Dark' },
      auto: {
        text: 'Automatic',
        hint: 'Like the background of the page, or the visitor’s device.',
      },
    },
  }),
  corners: oneOf({
    label: 'Corners',
    choices: {
      square: { text: 'Square' },
      rounded: { text: 'Rounded' },
      round: { text: 'Round' },
    },
  }),
  font: oneOf({
    label: 'Font',
    choices: {
      page: { text: 'The font of your page' },
      system: { text: 'System', hint: 'The font of the visitor’s device.' },
      humanist: { text: 'Humanist', hint: 'Warm, such as Gill Sans or Calibri.' },
      geometric: { text: 'Geometric', hint: 'Clear, such as Avenir or Corbel.' },
      serif: { text: 'Serif', hint: 'Classic, such as Charter or Cambria.' },
      mono: { text: 'Monospaced' },
    },
  }),
});

/** What a member enters in the form editor. */
export type EditorInput = InputOf<ReturnType<typeof editorFields>>;

/** The payment methods besides cards that are possible in a currency. */
const methodChoices = (currency: string) =>
  OPTIONAL_METHODS.filter((type) => fitsCurrency(type, currency)).map((value) => ({
    value,
    text: PAYMENT_METHOD_LABELS[value]!,
  }));

const EVERY_LANGUAGE = 'Visitors read it in these words in every language.';

/** A color of the form. Below it are its contrasts with the others. */
const formColor = (name: ColorSetting, options: FieldOptions) =>
  color({
    ...options,
    half: true,
    initial: defaultColor(name),
    note: (form) => colorNote(form, name),
  });

/** The rows of other amounts for a frequency, which are closed while there are none. */
const otherAmounts = (frequency: Frequency, currency: string) => ({
  label: `Other amounts for ${FREQUENCY_LABELS[frequency].toLowerCase()} donations`,
  hint: 'Leave empty to offer the same amounts.',
  currency,
  collapsed: true,
});
