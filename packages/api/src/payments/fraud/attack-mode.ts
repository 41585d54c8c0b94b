import { sql, type Expression, type RawBuilder } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { newId } from '../../lib/id.ts';
import { enqueueEmail } from '../../mail/queue.ts';

/**
 * Period in which declines are counted, and duration of an alarm after the last sign of an attack. An
 * alarm means card testing: stolen cards are tried on an organization's donation forms.
 */
const WINDOW_MINUTES = 15;
/**
 * Number of declines in the window that starts an alarm. Fewer declines may come from honest donors who
 * mistyped their cards.
 */
const START_AFTER_DECLINES = 20;
/**
 * Number of declines in the window that extends an active alarm. It is lower than the number that starts
 * an alarm, because the stricter checks during an alarm reduce the attempts.
 */
const EXTEND_AFTER_DECLINES = 5;
/**
 * Share of declined cards above which an alarm starts. The normal share is about 10 percent.
 */
const ABNORMAL_PERCENT = 70;

const WINDOW = sql`${sql.lit(WINDOW_MINUTES)} * interval '1 minute'`;
/** Start of the window in SQL. Uses `now()`, because a condition with `clock_timestamp()` cannot use an index. */
const windowStart = (): RawBuilder<Date> => sql<Date>`now() - ${WINDOW}`;

/** Numbers of cards that were tried in the window, according to Stripe's events. */
interface Attempts {
  declined_cards: number;
  attempted_cards: number;
}

export interface Alarm extends Attempts {
  id: string;
  organizationId: string;
}

/**
 * Detects card testing after a card was declined: starts an alarm or extends the active one. When
 * an alarm starts, emails to the owners are enqueued in the same transaction.
 *
 * @param dashboardUrl base URL of the link in the email
 * @returns the alarm if this decline started it
 */
export async function detectAttack(
  tx: Tx,
  organizationId: string,
  dashboardUrl: string,
): Promise<Alarm | undefined> {
  const attempts = await countAttempts(tx, organizationId);
  if (!isAbnormal(attempts, EXTEND_AFTER_DECLINES)) return undefined;
  // The row lock serializes the decision for each organization when many declines arrive at once.
  await sql`select from organization where id = ${organizationId} for no key update`.execute(tx);
  if (await extendAlarm(tx, organizationId, attempts)) return undefined;
  if (!isAbnormal(attempts, START_AFTER_DECLINES)) return undefined;
  const alarm = { id: newId('att'), organizationId, ...attempts };
  await forOrganization(tx, organizationId)
    .insertInto('attack_alarm', { id: alarm.id, ...attempts })
    .execute();
  await enqueueOwnerEmails(tx, alarm, dashboardUrl);
  return alarm;
}

/**
 * Returns the time until which every donation to an organization requires a proof of work; undefined
 * without an alarm.
 */
export async function attackUntil(db: Db, organizationId: string): Promise<Date | undefined> {
  const row = await selectAttackUntil(db, organizationId).executeTakeFirst();
  return row?.until ?? undefined;
}

/** Selects one row with the end of the attack, null without an alarm. Also part of other statements. */
export const selectAttackUntil = (db: Db, organizationId: string | Expression<string>) =>
  forOrganization(db, organizationId)
    .selectFrom('attack_alarm')
    .select(sql<Date | null>`max(last_detected_at) + ${WINDOW}`.as('until'))
    .where('last_detected_at', '>', windowStart());

/** Selects the alarms of an organization, newest first. */
export const selectAlarms = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('attack_alarm')
    .selectAll()
    .select(sql<Date>`last_detected_at + ${WINDOW}`.as('until'))
    .select(sql<boolean>`last_detected_at > ${windowStart()}`.as('is_active'))
    .orderBy('last_detected_at', 'desc');

/** Counts the attempts in the window, with an index-only scan. */
async function countAttempts(db: Db, organizationId: string): Promise<Attempts> {
  const { rows } = await sql<Attempts>`
    select count(*) filter (where type = 'payment_intent.payment_failed')::int as declined_cards,
      count(*)::int as attempted_cards
    from processor_event
    where organization_id = ${organizationId} and received_at > ${windowStart()}
      and type in ('payment_intent.payment_failed', 'payment_intent.succeeded') and is_card`.execute(
    db,
  );
  return rows[0]!;
}

const isAbnormal = ({ declined_cards, attempted_cards }: Attempts, minDeclines: number): boolean =>
  declined_cards >= minDeclines && declined_cards * 100 > attempted_cards * ABNORMAL_PERCENT;

async function extendAlarm(tx: Tx, organizationId: string, attempts: Attempts) {
  const { numUpdatedRows } = await forOrganization(tx, organizationId)
    .updateTable('attack_alarm')
    .set({
      last_detected_at: sql<Date>`clock_timestamp()`,
      declined_cards: sql<number>`greatest(declined_cards, ${attempts.declined_cards})`,
      attempted_cards: sql<number>`greatest(attempted_cards, ${attempts.attempted_cards})`,
    })
    .where('last_detected_at', '>', windowStart())
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function enqueueOwnerEmails(tx: Tx, alarm: Alarm, dashboardUrl: string): Promise<void> {
  const { organizationId, declined_cards, attempted_cards } = alarm;
  const owners = await forOrganization(tx, organizationId)
    .selectFrom('membership')
    .select('person_id')
    .where('role', '=', 'owner')
    .execute();
  for (const { person_id } of owners) {
    const details = {
      person_id,
      declined_cards,
      attempted_cards,
      url: `${dashboardUrl}/${organizationId}`,
    };
    const occasion = `${alarm.id},${person_id}`;
    await enqueueEmail(tx, { kind: 'card_testing', organizationId, occasion, details });
  }
}
