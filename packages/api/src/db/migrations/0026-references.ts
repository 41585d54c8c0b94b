import { sql, type Kysely } from 'kysely';

/**
 * A reference for each donation, and columns for reconciliation: the payment method and the payout:
 * docs/decisions/0086-donation-references.md
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ALPHABET = '3456789CDFGHJKMNPQRTVWXYZ';
/** Number of possible references: 8 characters of an alphabet of 25. */
const REFERENCES = 25n ** 8n;
/** Coprime to 25 (not a multiple of 5), so that multiplying by it modulo REFERENCES gives unique results. */
const STRIDE = 94_305_310_271n;

const characterAt = (place: number) =>
  `substr('${ALPHABET}', 1 + (number / ${25n ** BigInt(7 - place)} % 25)::int, 1)`;
const characters = (from: number) =>
  [0, 1, 2, 3].map((place) => characterAt(from + place)).join(' || ');

const STATEMENTS = [
  `create function reference_of(number bigint) returns text
    language sql immutable strict parallel safe
    return ${characters(0)} || '-' || ${characters(4)}`,
  `create table reserved_reference (
    organization_id text collate "C" not null references organization,
    reference text collate "C" not null,
    reserved_for text collate "C" not null unique,
    created_at timestamptz(3) not null default clock_timestamp(),
    primary key (organization_id, reference)
  )`,
  'alter table payment_intent add column reference text collate "C"',
  `alter table donation
    add column reference text collate "C",
    add column payment_method text,
    add column card_brand text,
    add column payout_id text collate "C" references payout on delete set null`,
  // No change events for live tables: every donation is updated.
  'alter table donation disable trigger log_changed',
  `update donation set
    reference = reference_of(numbered.nth * ${STRIDE} % ${REFERENCES}),
    payout_id = (
      select payout_donation.payout_id from payout_donation
      where payout_donation.processor_payment_intent_id = donation.processor_payment_intent_id
        and payout_donation.organization_id = donation.organization_id
        and payout_donation.type = 'gift'
      order by payout_donation.created_at, payout_donation.id limit 1)
    from (
      select id, row_number() over (partition by organization_id order by created_at, id) as nth
      from donation
    ) as numbered
    where numbered.id = donation.id`,
  'alter table donation enable trigger log_changed',
  `alter table donation
    alter column reference set not null,
    add constraint donation_reference unique (organization_id, reference)`,
  `create function assign_reference() returns trigger language plpgsql as $$
  begin
    loop
      new.reference := reference_of(floor(random() * ${REFERENCES})::bigint);
      exit when not exists (
        select from donation
        where organization_id = new.organization_id and reference = new.reference)
      and not exists (
        select from reserved_reference
        where organization_id = new.organization_id and reference = new.reference);
    end loop;
    return new;
  end $$`,
  `create trigger assign_reference before insert on donation
    for each row when (new.reference is null) execute function assign_reference()`,
  `create index donation_of_payout on donation (payout_id, created_at, id)
    where payout_id is not null`,
];
