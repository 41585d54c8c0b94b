import { sql, type Kysely } from 'kysely';

/**
 * A function that reserves cards (`payments/fraud/card-budget.ts`). It takes the locks and then
 * counts, all in one round trip: each statement of a volatile function sees what was committed
 * before it starts, so the count contains the reservations of requests that held the locks before.
 * A single statement without the function would count as of the time before it waited.
 *
 * Returns `form` or `address`, whose budget is used up, or null if the cards are reserved.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create function reserve_cards(
  request_key text, organization text, form text, address text, with_proof boolean,
  new_cards int, declines int, cards_until_canceled int, form_budget int, address_budget int
) returns text language plpgsql as $$
declare
  used record;
begin
  -- A repeated request has its reservation. One that ended without a payment intent is replaced.
  if exists (
    select from card_reservation
    where id = request_key and (ended_at is null or payment_intent_id is not null)
  ) then
    return null;
  end if;

  -- The form, then the address, always in this order to prevent deadlocks. An unknown address (null)
  -- is not locked.
  perform pg_advisory_xact_lock(hashtextextended('form ' || organization || ' ' || form, 22));
  perform pg_advisory_xact_lock(hashtextextended('address ' || address, 22));

  -- If late events report more cards than were reserved, the reported number counts. An open payment
  -- intent with a decline counts with all cards that it could still take.
  select coalesce(sum(cards) filter (where is_of_form), 0) as form_cards,
    coalesce(sum(cards) filter (where is_of_address), 0) as address_cards
  into used
  from (
    select r.organization_id = organization and r.form_key = form as is_of_form,
      coalesce(r.address_hash = address, false) as is_of_address,
      greatest(r.card_count, i.failed_attempts, case when r.ended_at is null and i.failed_attempts > 0
        then r.max_declines + cards_until_canceled end) as cards
    from card_reservation as r left join payment_intent as i on i.id = r.payment_intent_id
    where ((r.organization_id = organization and r.form_key = form) or r.address_hash = address)
      and r.has_proof_of_work = with_proof
      and (r.ended_at is null or r.ended_at > clock_timestamp() - interval '10 minutes')
  ) as counted;

  if used.form_cards + new_cards > form_budget then return 'form'; end if;
  if used.address_cards + new_cards > address_budget then return 'address'; end if;

  insert into card_reservation
    (id, organization_id, form_key, address_hash, has_proof_of_work, card_count, max_declines)
  values (request_key, organization, form, address, with_proof, new_cards, declines)
  on conflict (id) do update set
    organization_id = excluded.organization_id, form_key = excluded.form_key,
    address_hash = excluded.address_hash, has_proof_of_work = excluded.has_proof_of_work,
    card_count = excluded.card_count, max_declines = excluded.max_declines,
    created_at = clock_timestamp(), ended_at = null, retry_at = null;
  return null;
end $$`,
    )
    .execute(db);
}
