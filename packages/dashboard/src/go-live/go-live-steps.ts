import { formatMoney } from '@connect-embed/contract';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { findOwnKeys } from '@connect-embed/api/payments/own-keys/manage-keys';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import type { ListedStep } from '../pages/step-list.ts';
import type { GoLiveState } from './load-state.ts';

interface Situation {
  organization: MembershipWithSettings;
  state: GoLiveState;
  /** Undefined if the account is used through the platform. */
  keys: Awaited<ReturnType<typeof findOwnKeys>>;
  /** URL of the newest published form; undefined if no page shows it. */
  formUrl: string | undefined;
}

/** Returns the steps from test keys to the first real donation, in the order in which they are done. */
export const goLiveSteps = (situation: Situation): ListedStep[] => [
  keysStep(situation),
  notificationsStep(situation),
  websiteStep(situation),
  donationStep(situation),
];

const pathOf = ({ organization }: Situation) => `/dashboard/${organization.organizationId}`;
const isOwner = ({ organization }: Situation) => organization.role === 'owner';
const isLive = ({ organization }: Situation) => organization.livemode === true;

function keysStep(situation: Situation): ListedStep {
  const name = 'Enter your live keys';
  if (isLive(situation)) return { name, isDone: true };
  const { organization, keys } = situation;
  const isOfPlatform = organization.livemode === false && !keys;
  return {
    name,
    isDone: false,
    text: [
      isOfPlatform
        ? 'Your account was opened here, and this service is in test mode. Ask whoever runs it to switch to live keys, or enter those of a Stripe account of your own.'
        : 'At Stripe, leave test mode, and copy the two keys that start with pk_live_ and sk_live_.',
      ...(isOwner(situation) ? [] : ['Only an owner can enter them.']),
    ].join(' '),
    ...(isOwner(situation) && {
      link: { href: `${pathOf(situation)}/payments/keys`, text: 'Enter live keys' },
    }),
  };
}

function notificationsStep(situation: Situation): ListedStep {
  const { keys } = situation;
  const name = 'Let Stripe tell us about payments';
  if (isLive(situation) && (keys === undefined || keys.has_webhook_secret))
    return { name, isDone: true };
  return {
    name,
    isDone: false,
    text: isLive(situation)
      ? 'Without this, donations do not appear here. Your key may not set it up for you.'
      : 'We set this up when you enter your live keys.',
    ...(isLive(situation) &&
      isOwner(situation) && {
        link: { href: `${pathOf(situation)}/payments/keys/webhook`, text: 'Set up notifications' },
      }),
  };
}

function websiteStep(situation: Situation): ListedStep {
  const name = 'Allow your website';
  if (situation.state.sites > 0) return { name, isDone: true };
  return {
    name,
    isDone: false,
    text: 'Only websites that you allow can show your forms.',
    link: { href: `${pathOf(situation)}/allowed-sites`, text: 'Allow a website' },
  };
}

/** The last step is done in the form itself, and leads to the refund afterwards. */
function donationStep(situation: Situation): ListedStep {
  const { state, formUrl } = situation;
  const { liveDonation } = state;
  if (liveDonation) {
    const amount = formatMoney(liveDonation.amount_cents, liveDonation.currency, LOCALE);
    const canRefund = isLive(situation) && liveDonation.refund_status === 'none';
    return {
      name: 'Make one real donation',
      text: `${amount} arrived.`,
      isDone: true,
      link: {
        href: `${pathOf(situation)}/donations/${liveDonation.id}`,
        text: canRefund ? 'See or refund it' : 'See it',
      },
    };
  }
  return {
    name: 'Make one real donation',
    text: 'Give a small amount with your own card, see it arrive here, and refund it. Stripe may keep its fee.',
    isDone: false,
    ...(isLive(situation) &&
      formUrl && { link: { href: formUrl, text: 'Open the form', opensTab: true } }),
  };
}
