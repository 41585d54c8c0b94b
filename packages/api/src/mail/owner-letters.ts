import type { Content } from './content.ts';
import type { Told } from './subject-of-mail.ts';

/** What owners are told when cards are being tested on their form; in English, as the dashboard is. */
export function alarmContent({ donor, organization, details }: Told): Content {
  const { failed = 0, tried = 0, url } = details;
  const { name } = organization;
  return {
    subject: `Somebody is testing stolen cards on the giving form of ${name}`,
    paragraphs: [
      donor.name ? `Hello ${donor.name},` : 'Hello,',
      `in 15 minutes ${failed} of ${tried} cards were declined on your giving form. That is what it looks like when somebody tries out stolen card numbers.`,
      'You need not do anything at once. From now on every gift takes a second or two of work from the browser that makes it, which donors hardly notice and a program cannot afford. This ends by itself 15 minutes after the last sign of it.',
      'What you can do: raise the smallest amount of the form, for testers give little. Look at the gifts of the last hour, and refund those that you do not know, before their cardholders dispute them. Tell your card processor when this lasts longer than a day.',
    ],
    rows: [],
    ...(url && {
      action: { text: 'Open the dashboard', url, note: 'It shows whether this is still going on.' },
    }),
    foot: ['You get this mail because you are an owner. It is sent once for each such attack.'],
  };
}
