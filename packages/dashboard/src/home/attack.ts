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
