import { sql, type Kysely } from 'kysely';

/**
 * Search terms, sortable names, and an index for each search, sort column and filter of donations,
 * donors and payouts: docs/decisions/0045-filters-search-and-sums.md
 *
 * Functions use `return`, which resolves the functions they call when they are created: restoring a
 * backup evaluates them without a search path.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ icu: boolean }>`
    select exists (
      select from pg_collation
      where collname = 'und-x-icu' and collnamespace = 'pg_catalog'::regnamespace) as icu`.execute(
    db,
  );
  for (const statement of statementsWith(rows[0]!.icu ? 'collate pg_catalog."und-x-icu"' : '')) {
    await sql.raw(statement).execute(db);
  }
}

/** Spaces and punctuation of ASCII, Latin-1, Unicode's general block and CJK, as in `resources/search/search.ts`. */
const SEPARATORS =
  '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+';

/** Prefix of every search term, so that terms of different organizations differ. */
const TENANT = `left(encode(sha256(organization_id::bytea), 'hex'), 6)`;
/** Sorts after every name, for rows without a name. */
const LAST = 'chr(1114111)';
/** Limits the entries that wait to be merged into the index: every search reads them. */
const SEARCH_INDEX = 'using gin (search) with (gin_pending_list_limit = 256)';

const nameKey = (name: string) =>
  `text collate "C" generated always as
    (left(coalesce(nullif(btrim(fold_text(${name})), ''), ${LAST}), 60)) stored`;

const statementsWith = (collation: string) => [
  // Removes accents and case, as names are compared.
  `create function fold_text(given text) returns text
    language sql immutable strict parallel safe
    return lower(regexp_replace(normalize(given, NFKD), '[\\u0300-\\u036f]+', '', 'g') ${collation})`,
  `create function search_words(prefix text, given text) returns text[]
    language sql immutable parallel safe
    return (
      select coalesce(array_agg(prefix || left(word, 40)), '{}')
      from regexp_split_to_table(fold_text(given), '${SEPARATORS}') as word
      where word <> '')`,
  // All suffixes of at least three digits of a number, so that a prefix search finds any part of it.
  `create function search_digits(prefix text, given text) returns text[]
    language sql immutable parallel safe
    return (
      select coalesce(array_agg(prefix || substr(number, first)), '{}')
      from (select left(regexp_replace(given, '[^0-9]', '', 'g'), 20) as number) as one,
        generate_series(1, length(number) - 2) as first)`,
  `alter table donation
    add column donor_name_key ${nameKey('donor_name')},
    add column search tsvector not null generated always as (array_to_tsvector(
      search_words(${TENANT} || 'n', donor_name)
      || search_words(${TENANT} || 'e', donor_email)
      || array[${TENANT} || 'e' || left(fold_text(coalesce(donor_email, '')), 100)]
      || array[${TENANT} || 'r' || lower(replace(reference, '-', ''))])) stored`,
  `alter table donor
    add column name_key ${nameKey("coalesce(first_name, '') || ' ' || coalesce(last_name, '')")},
    add column search tsvector not null generated always as (array_to_tsvector(
      search_words(${TENANT} || 'n', coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
      || search_words(${TENANT} || 'e', email)
      || array[${TENANT} || 'e' || left(fold_text(coalesce(email, '')), 100)]
      || search_digits(${TENANT} || 'p', phone)
      || search_words(${TENANT} || 'a', city))) stored`,
  `alter table payout
    add column search tsvector not null generated always as (array_to_tsvector(
      search_words(${TENANT} || 't', coalesce(description, '') || ' '
        || coalesce(statement_descriptor, ''))
      || array[${TENANT} || 'd' || abs(amount_cents)])) stored`,
  `create index donation_search on donation ${SEARCH_INDEX}`,
  `create index donor_search on donor ${SEARCH_INDEX}`,
  `create index payout_search on payout ${SEARCH_INDEX}`,
  'create index donation_by_amount on donation (organization_id, amount_cents, id)',
  'create index donation_by_name on donation (organization_id, donor_name_key, id)',
  `create index donation_by_method on donation (organization_id, payment_method, created_at, id)
    where payment_method is not null`,
  `create index donation_by_brand on donation (organization_id, card_brand, created_at, id)
    where card_brand is not null`,
  'create index donor_by_name on donor (organization_id, name_key, id)',
  'create index payout_by_amount on payout (organization_id, amount_cents, id)',
  'create index payout_by_arrival on payout (organization_id, arrival_date, id)',
];
