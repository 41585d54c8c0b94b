import type { DonationTermsInput } from '@connect-embed/contract';
import { createForm } from '@connect-embed/api/resources/forms/edit-form';
import type { Deps } from '../pages/deps.ts';
import { oneOf, recordId, required, text, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { loadFundAndCampaignChoices } from './fund-and-campaign-choices.ts';
import type { FundAndCampaignChoices } from './form-fields.ts';

type TemplateName = 'everyday' | 'campaign' | 'fixed' | 'event';

interface NewForm {
  name: string;
  template: TemplateName;
  campaign_id: string | null;
}

/** Settings with which a form starts. The owner can change all of them. */
const TEMPLATES: Record<TemplateName, DonationTermsInput> = {
  everyday: {
    frequencies: ['one_time', 'monthly'],
    preset_amounts_cents: [2500, 5000, 10_000, 25_000],
    preset_amounts_by_frequency: { monthly: [1000, 2500, 5000, 10_000] },
    default_amount_cents: 5000,
    fee_cover: 'offered',
  },
  campaign: {
    preset_amounts_cents: [2500, 5000, 10_000, 25_000],
    default_amount_cents: 5000,
    fee_cover: 'offered',
    allow_comment: true,
  },
  fixed: { preset_amounts_cents: [5000, 10_000, 25_000], amount_locked: true },
  event: {
    preset_amounts_cents: [5000, 15_000, 40_000],
    amount_locked: true,
    allow_comment: true,
  },
};

const fields = ({ campaigns }: FundAndCampaignChoices): FieldsOf<NewForm> => ({
  name: required(text({ label: 'Name', hint: 'Donors do not see it.', max: 100 })),
  template: oneOf({
    label: 'Start with',
    choices: {
      everyday: {
        text: 'One-time and monthly',
        hint: 'For your website: donors choose an amount, once or every month.',
      },
      campaign: { text: 'Campaign', hint: 'Donations count towards the goal of a campaign.' },
      fixed: { text: 'Fixed amounts', hint: 'Donors choose one of a few amounts.' },
      event: {
        text: 'Event seats',
        hint: 'One amount for each type of seat; guests can leave a message.',
      },
    },
  }),
  campaign_id: recordId({
    label: 'Campaign',
    none: 'No campaign',
    choices: campaigns,
    hint: 'You can change it later.',
  }),
});

/** Creates a form from a template and opens it in the editor. */
export const newFormPage = ({ db }: Deps) =>
  formPage<FundAndCampaignChoices, NewForm>({
    load: (c) => loadFundAndCampaignChoices(db, c.var.organization.organizationId),
    title: () => 'New form',
    backLink: (_, c) => ({ href: organizationPath(c, '/forms'), text: 'Forms' }),
    action: (_, c) => organizationPath(c, '/forms'),
    fields,
    values: () => ({ template: 'everyday' }),
    submitLabel: 'Create form',
    check: ({ template, campaign_id }, form) => {
      if (template === 'campaign' && !campaign_id)
        form.addError('campaign_id', 'Select the campaign.');
    },
    save: async ({ name, template, campaign_id }, { campaigns }, c) => {
      const campaign = campaigns.find(({ value }) => value === campaign_id);
      const show_goal = template === 'campaign' && campaign?.hasGoal === true;
      const terms = { ...TEMPLATES[template], ...(campaign_id && { campaign_id, show_goal }) };
      const { organizationId } = c.var.organization;
      const id = await createForm(db, organizationId, { name, slug: '', terms });
      const success = 'Draft created. Publish it when it is ready.';
      return { path: organizationPath(c, `/forms/${id}/edit`), success };
    },
  });
