import type { EmailContent } from './email-content.ts';
import type { MailContext } from './mail-context.ts';

/**
 * E-mail that warns an owner of card testing on a donation form. It is in English, like the
 * dashboard.
 */
export function attackAlertContent({ donor, organization, details }: MailContext): EmailContent {
  const { failed = 0, tried = 0, url } = details;
  const { name } = organization;
  return {
    subject: `Somebody is testing stolen cards on the donation form of ${name}`,
    paragraphs: [
      donor.name ? `Hello ${donor.name},` : 'Hello,',
      `In 15 minutes ${failed} of ${tried} cards were declined on your donation form. Somebody is probably trying out stolen card numbers.`,
      'You do not have to do anything right now. Until the attack is over, each donation takes the donor’s browser a second or two of work. Donors hardly notice it, but it is too much for a program that tries thousands of cards. It ends by itself 15 minutes after the last sign of the attack.',
      'What you can do: raise the minimum amount of the form, because these programs choose small amounts. Look at the donations of the last hour, and refund those that you do not recognize before the cardholders dispute them. Contact your card processor if the attack lasts longer than a day.',
    ],
    rows: [],
    ...(url && {
      action: { text: 'Open the dashboard', url, note: 'It shows whether this is still going on.' },
    }),
    foot: ['You get this email because you are an owner. It is sent once for each attack.'],
  };
}
