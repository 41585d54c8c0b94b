import { html } from 'hono/html';
import type { Db } from '@connect-embed/api/db/schema';
import { selectAlarms } from '@connect-embed/api/payments/fraud/attack-mode';
import type { Membership } from '@connect-embed/api/users/membership';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { exactTimeElement } from '../pages/dashboard-layout.ts';

/** Maximum number of attacks in the list, which contains the latest ones. */
const MAX_ATTACKS = 5;

/**
 * Renders the warning on every page of an organization while its donation forms are under a card
 * testing attack.
 */
export const attackBanner = (until: Date, timeZone: string): Html =>
  html`<div class="notice problem" role="alert">
    <p>
      <strong>Stolen cards are being tested on your donation form.</strong> Until at least
      ${exactTimeElement(until, timeZone)}, every donation takes the donor’s browser a second or two
      longer. You do not have to do anything. It helps to raise the minimum amount of the form, and
      to refund donations that you do not recognize.
    </p>
  </div>`;

/**
 * Lists card testing attacks for the home page, so that staff can explain earlier declines.
 *
 * @returns an empty string if there were no attacks
 */
export async function attackHistory(
  db: Db,
  { organizationId, timeZone }: Membership,
): Promise<Html | ''> {
  const alarms = await selectAlarms(db, organizationId).limit(MAX_ATTACKS).execute();
  if (alarms.length === 0) return '';
  const count = (cards: number) => cards.toLocaleString(LOCALE);
  return html`<h2>Card testing</h2>
    <ul>
      ${alarms.map(
        ({ started_at, last_detected_at, declined_cards, attempted_cards }) =>
          html`<li>
            ${exactTimeElement(started_at, timeZone)} to
            ${exactTimeElement(last_detected_at, timeZone)}: at the peak, ${count(declined_cards)}
            of ${count(attempted_cards)} cards were declined in 15 minutes.
          </li>`,
      )}
    </ul>`;
}
