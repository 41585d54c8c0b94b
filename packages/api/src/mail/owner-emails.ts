import type { EmailContent } from './email-content.ts';
import type { MailContext } from './mail-context.ts';

/**
 * Email that warns an owner of card testing on a donation form. It is in English, like the
 * dashboard.
 */
export function attackAlertContent({ donor, organization, details }: MailContext): EmailContent {
  const { declined_cards = 0, attempted_cards = 0, url } = details;
  const { name } = organization;
  return {
    subject: `Stolen cards are being tested on the donation form of ${name}`,
    paragraphs: [
      donor.name ? `Hello ${donor.name},` : 'Hello,',
      `In 15 minutes, ${declined_cards} of ${attempted_cards} cards were declined on your donation form. Stolen card numbers are probably being tested.`,
      'You do not have to do anything right now. During the attack, each donation takes the donor’s browser a second or two longer. Donors hardly notice it, but it makes testing thousands of cards impractical. This protection ends automatically 15 minutes after the last sign of the attack.',
      'What you can do: raise the minimum amount of the form, because these programs choose small amounts. Review the donations of the last hour, and refund those you do not recognize before the cardholders dispute them. Contact your card processor if the attack lasts longer than a day.',
    ],
    rows: [],
    ...(url && {
      action: { text: 'Open the dashboard', url, note: 'It shows whether the attack continues.' },
    }),
    footer: ['You get this email because you are an owner. It is sent once for each attack.'],
  };
}

/** Email that tells owners and admins that a website asks to be allowed. It is in English, like the dashboard. */
export function siteRequestContent({ donor, organization, details }: MailContext): EmailContent {
  const { url } = details;
  return {
    subject: `A website asks to show the donation forms of ${organization.name}`,
    paragraphs: [
      donor.name ? `Hello ${donor.name},` : 'Hello,',
      'Somebody has connected a website to your donation forms, for example with our WordPress plugin. It cannot show a form until you allow it.',
      'Allow it only if you know the address of the website. Anybody can ask, and nothing happens if you ignore the request. It disappears after 30 days.',
    ],
    rows: [],
    ...(url && {
      action: { text: 'Review the request', url, note: 'The page shows the address.' },
    }),
    footer: [
      'You get this email because you are an owner or admin. It is sent at most once a day.',
    ],
  };
}
