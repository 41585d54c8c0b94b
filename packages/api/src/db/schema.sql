-- The database schema of the Connect API: all tables, indexes, functions and triggers, in reading order.
-- The migration `0001-baseline` executes this file on an empty database. The types of the tables are
-- generated from the database: `npm run table-types` writes tables.ts.
--
-- Conventions:
-- - Ids are text with a prefix, such as `don_…`, and compare by bytes (`collate "C"`). Times have millisecond
--   precision. So a cursor means the same in JavaScript and in PostgreSQL: docs/decisions/0010-lists.md
-- - Amounts (`…_cents`) are in the minor unit of their currency. Currencies are ISO 4217 in lower case.
-- - The index `…_list` serves the list of its table, its cursor and the filter `updated_since`. It is read
--   backwards, because lists show the newest row first.
-- - Columns whose names begin with `processor_` contain ids of Stripe. A column `row_version` orders the copies
--   of an object that was fetched from Stripe: docs/decisions/0033-sync-and-reconciliation.md
-- - Tables without a note about deletion keep their rows. "The cleanup job" is process/remove-expired.ts.


-- Installation ------------------------------------------------------------------------------------------------

-- State of the installation as a whole, in exactly one row: docs/operations.md
create table installation (
  id smallint primary key default 1 check (id = 1),
  -- A known text, encrypted with API_SECRET: a process with another secret cannot decrypt it. Null until the
  -- first process has started.
  secret_probe text,
  -- When a process last found out that the database can be written to.
  write_checked_at timestamptz(3) not null default clock_timestamp()
);

insert into installation default values;

-- A running process and when it last reported that it runs: docs/decisions/0105-readiness-and-secrets.md
create table service_process (
  id text collate "C" primary key,
  role text not null check (role in ('api', 'worker', 'all')),
  -- The release of the process.
  version text not null,
  started_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz(3) not null default clock_timestamp()
);


-- Organizations and people ------------------------------------------------------------------------------------

-- A nonprofit that receives donations. Created by `connect-embed organizations create`.
create table organization (
  id text collate "C" primary key,
  name text not null,
  slug text not null unique,
  legal_name text,
  contact_email text,
  website text,
  tax_id text,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- The organization's connected account at Stripe. Null until it exists.
  processor_account_id text collate "C" unique,
  -- The account whose own keys were removed: keys of another one are not accepted once there are payments.
  removed_account_id text collate "C",
  -- When the organization first took live keys. It stays, also when the keys are removed or replaced by test keys.
  -- Null as long as it has only tested. Decides what counts: docs/decisions/0125-test-and-live.md
  live_since timestamptz(3),
  -- IANA name. Dates on receipts are in this time zone.
  time_zone text not null default 'UTC',
  -- Note for the tax office on receipts.
  receipt_note text,
  -- What the organization says to donors on receipts, in its own words.
  receipt_message text,
  -- The payment methods that donors are offered, if Stripe has enabled them for the account.
  payment_method_types text[] not null default '{card}',
  -- Whether members need two-step sign-in to refund donations: docs/decisions/0084-sign-in-security.md
  require_second_factor boolean not null default false,
  -- When the checklist on the home page was completed or hidden by an owner. Null while it is shown.
  checklist_closed_at timestamptz(3),
  -- When a page first opened one of its published forms. Null before.
  form_shown_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp()
);

-- The logo of an organization, which is public. In a table of its own, so that its bytes are read only to send it.
create table organization_logo (
  organization_id text collate "C" primary key references organization,
  -- Hash of the content. It is part of the URL, so that browsers can cache the file for ever.
  hash text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  width int not null,
  height int not null,
  content bytea not null
);

-- A person who signs in to the dashboard. The columns of `person` and of the tables `sign_in_…` are given by the
-- sign-in library (Better Auth), which writes them; their names are ours (users/sign-in-tables.ts).
create table person (
  id text collate "C" primary key,
  name text not null,
  -- In lower case.
  email text not null unique,
  email_verified boolean not null,
  image text,
  two_factor_enabled boolean not null default false,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);

-- A browser in which a person is signed in. Deleted when the person signs out, when their password or second
-- factor changes, and by the cleanup job after it has expired.
create table sign_in_session (
  id text collate "C" primary key,
  person_id text collate "C" not null references person on delete cascade,
  -- SHA-256, in hex, of the token in the session cookie: docs/decisions/0019-people-and-teams.md
  token text not null unique,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create index sign_in_session_person on sign_in_session (person_id);
create index sign_in_session_expiry on sign_in_session (expires_at);

-- A way in which a person proves who they are. The only one in use is the password, stored as its scrypt hash;
-- the columns of tokens are required by the library and stay empty.
create table sign_in_method (
  id text collate "C" primary key,
  person_id text collate "C" not null references person on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create index sign_in_method_person on sign_in_method (person_id);

-- A short-lived value of the sign-in library, such as a link that sets a new password. Identifiers are stored as
-- hashes. The library deletes a row when it is used or found to be expired.
create table sign_in_verification (
  id text collate "C" primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create index sign_in_verification_identifier on sign_in_verification (identifier);

-- The two-step sign-in of a person: docs/decisions/0084-sign-in-security.md. Deleted when the person turns it off, by
-- `connect-embed people reset-two-step`, and for everyone when API_SECRET is replaced.
create table sign_in_second_factor (
  id text collate "C" primary key,
  person_id text collate "C" not null unique references person on delete cascade,
  -- The library encrypts the secret and the backup codes with API_SECRET.
  secret text not null,
  backup_codes text not null,
  -- False until the person has confirmed the setup with a code.
  verified boolean not null default false,
  failed_verification_count int not null default 0,
  locked_until timestamptz(3)
);

-- A person's role in an organization: docs/decisions/0019-people-and-teams.md. Deleted when the person leaves
-- or is removed.
create table membership (
  organization_id text collate "C" not null references organization,
  person_id text collate "C" not null references person on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  -- Scopes of an admin. Owners hold all scopes and plain members hold none.
  permissions text[] not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (person_id, organization_id)
);
create index membership_organization on membership (organization_id);

-- An invitation by email to join an organization. Deleted when it is withdrawn or replaced by a new one to the
-- same address; an accepted one stays.
create table invitation (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- In lower case.
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  permissions text[] not null default '{}',
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  invited_by text collate "C" references person on delete set null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index invitation_organization on invitation (organization_id, created_at, id);


-- A link with which the first owner sets up an installation without people and organizations. Deleted when the owner
-- has an account, and otherwise when it has expired and the next one is created:
-- docs/decisions/0099-first-run-and-own-stripe-keys.md
create table setup_link (
  -- SHA-256 of the token in the link.
  token_hash bytea primary key,
  -- SHA-256 of the token in the cookie for which the link was exchanged. Null until it is opened.
  cookie_hash bytea unique,
  expires_at timestamptz(3) not null
);


-- Credentials: API keys, OAuth, sessions ----------------------------------------------------------------------

-- A secret key of an organization's server. Created in the dashboard or on the command line; revoked, never
-- deleted.
create table api_key (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  name text not null,
  -- SHA-256 of the key.
  token_hash bytea not null unique,
  scopes text[] not null,
  -- The member who created the key in the dashboard. Null if it was created on the command line.
  created_by text collate "C" references person on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  revoked_at timestamptz(3)
);

-- An OAuth client, which belongs to its developer and not to an organization:
-- docs/decisions/0018-oauth-library.md. Its id is the `client_id`. Deleted by its developer.
create table oauth_app (
  id text collate "C" primary key,
  person_id text collate "C" not null references person on delete cascade,
  name text not null,
  secret_hash bytea not null,
  redirect_uris text[] not null check (cardinality(redirect_uris) > 0),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index oauth_app_person on oauth_app (person_id);

-- One app connected to one organization, from the first approval until it is revoked. Deleted with its app.
create table oauth_connection (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  app_id text collate "C" not null references oauth_app on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  revoked_at timestamptz(3)
);
create unique index oauth_connection_valid on oauth_connection (organization_id, app_id)
  where revoked_at is null;
create index oauth_connection_app on oauth_connection (app_id);

-- One approval of an app by one member. Its tokens are valid as long as it exists: it is deleted when the
-- connection is revoked or the member leaves, and by the cleanup job when no token or session references it.
create table oauth_grant (
  id text collate "C" primary key,
  connection_id text collate "C" not null references oauth_connection on delete cascade,
  person_id text collate "C" not null references person on delete cascade,
  scopes text[] not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index oauth_grant_connection on oauth_grant (connection_id);
create index oauth_grant_person on oauth_grant (person_id);

-- An authorization code, access token or refresh token. A used one stays until it expires, so that a replay is
-- detected; then the cleanup job deletes it.
create table oauth_token (
  -- SHA-256 of the token.
  token_hash bytea primary key,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  grant_id text collate "C" not null references oauth_grant on delete cascade,
  scopes text[] not null,
  -- Other data of the OAuth library about the token. Never the token itself.
  payload jsonb not null,
  -- When a code was redeemed or a refresh token was replaced.
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index oauth_token_grant on oauth_token (grant_id);
create index oauth_token_expiry on oauth_token (expires_at);

-- An authorization request that waits for a person to sign in and approve. Deleted afterwards, or by the cleanup
-- job when it has expired.
create table oauth_interaction (
  uid_hash bytea primary key,
  payload jsonb not null,
  expires_at timestamptz(3) not null
);
create index oauth_interaction_expiry on oauth_interaction (expires_at);

-- A website that may show the forms and tables of an organization: docs/decisions/0098-allowed-sites.md
create table allowed_site (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- An origin, or `https://*.example.org` for every subdomain.
  origin text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (organization_id, origin)
);
create index allowed_site_list on allowed_site (organization_id, created_at, id);

-- A website that asks to be allowed: docs/decisions/0102-wordpress-and-site-requests.md
create table allowed_site_request (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- The origin of one website. Nothing is stored about who asks.
  origin text not null,
  -- True if nobody asked: a page of the website tried to show a form. It is listed for a day.
  refused boolean not null default false,
  -- The name of the form that the page tried to show, if the server has such a form.
  form_name text,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Set by Dismiss. The row stays until it expires, so that the same website cannot ask again at once.
  dismissed_at timestamptz(3),
  unique (organization_id, origin)
);
create index allowed_site_request_expiry on allowed_site_request (created_at);

-- A donation form, edited in the dashboard: docs/decisions/0097-forms.md
create table form (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- The name by which pages select the form.
  slug text not null,
  -- The name that members see.
  name text not null,
  -- The settings that members are editing: `FormSettings` of the contract.
  draft jsonb not null,
  -- Increased by each change of the draft, so that a member does not overwrite the change of another.
  draft_revision int not null default 1,
  -- The version that pages show; null until the form is first published.
  live_version int,
  -- A closed form accepts no donations.
  closed_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (organization_id, slug),
  constraint form_closed_was_published check (closed_at is null or live_version is not null)
);
create index form_list on form (organization_id, created_at, id);

-- A published version of a form. It never changes, so that it can be viewed and restored.
create table form_version (
  organization_id text collate "C" not null references organization,
  form_id text collate "C" not null references form on delete cascade,
  version int not null check (version > 0),
  settings jsonb not null,
  -- Id of the member; null if that person has been deleted.
  published_by text collate "C" references person on delete set null,
  published_at timestamptz(3) not null default clock_timestamp(),
  primary key (form_id, version)
);
alter table form add foreign key (id, live_version) references form_version (form_id, version);

-- A picture of giving pages, which is public: a WebP image. Drafts and versions of forms name it by its hash.
create table form_picture (
  organization_id text collate "C" not null references organization,
  -- Hash of the content. It is part of the URL, so that browsers can cache the file for ever.
  hash text not null,
  content bytea not null,
  primary key (organization_id, hash)
);

-- Settings of a form that may not be saved, which a preview in the dashboard shows for an hour.
create table form_preview (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  settings jsonb not null,
  theme text not null check (theme in ('light', 'dark')),
  -- The language of the preview, such as de.
  language text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index form_preview_age on form_preview (organization_id, created_at);

-- Permission to collect donations with one form under fixed terms. Created and ended with an API key or OAuth token.
-- The cleanup job deletes it one day after its expiry, because a donation may still name it.
create table embed_session (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  api_key_id text collate "C" references api_key,
  grant_id text collate "C" references oauth_grant on delete cascade,
  -- SHA-256 of the token.
  token_hash bytea not null unique,
  -- The published form whose terms the session got; null if the caller set the terms.
  form_id text collate "C" references form on delete cascade,
  form_version int,
  -- Under which name the server shows a form whose terms the caller set.
  form_name text,
  -- Terms of donations and allowed origins: `StoredTerms` in column-types.ts.
  terms jsonb not null,
  prefill jsonb not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  check (num_nonnulls(api_key_id, grant_id) = 1)
);
create index embed_session_expiry on embed_session (expires_at);
create index embed_session_of_form on embed_session (form_id) where form_id is not null;

-- Permission to read tables in a page. Created, ended and deleted like an embed session.
create table component_session (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  api_key_id text collate "C" references api_key,
  grant_id text collate "C" references oauth_grant on delete cascade,
  token_hash bytea not null unique,
  components text[] not null,
  -- Personal data that the session does not see: docs/decisions/0059-field-masking.md
  masks text[] not null check (masks <@ '{names,emails,phones,addresses}'),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  check (num_nonnulls(api_key_id, grant_id) = 1)
);
create index component_session_expiry on component_session (expires_at);

-- The rate limit of a credential, updated by each request: docs/decisions/0024-rate-limit.md. The cleanup job
-- deletes rows of credentials without a request in the last minute.
-- Unlogged, because a rate limit need not survive a crash. Half of each page stays free, so that a row is updated
-- in place and no index changes.
create unlogged table request_budget (
  key text collate "C" primary key,
  -- Times of the requests in the last minute, oldest first.
  request_times timestamptz[] not null
) with (fillfactor = 50);

-- Counters of requests without a credential, such as sign-in attempts. The library rate-limiter-flexible requires
-- these columns, and it deletes expired rows.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  -- In milliseconds since 1970.
  expire bigint
);

-- The outcome of a POST with an `Idempotency-Key`: docs/decisions/0009-idempotency.md. The cleanup job deletes it
-- when it has expired.
create table idempotency_key (
  -- Id of the API key, session or OAuth connection that sent the request.
  credential_id text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of method, path and body.
  fingerprint bytea not null,
  -- The attempt that holds the lock. A late attempt does not match and changes nothing.
  attempt_id text not null,
  locked_until timestamptz(3) not null,
  -- The response; null until the request is finished. The body is encrypted because it may contain a token.
  status int,
  encrypted_body text,
  expires_at timestamptz(3) not null,
  primary key (credential_id, key)
);
create index idempotency_key_expiry on idempotency_key (expires_at);


-- Funds and campaigns -----------------------------------------------------------------------------------------

-- A purpose to which donors can dedicate a donation. An archived fund accepts no donations; past donations keep
-- its name.
create table fund (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  name text not null,
  description text,
  type text not null check (type in ('unrestricted', 'restricted', 'endowment')),
  goal_cents bigint check (goal_cents > 0),
  published boolean not null,
  -- An archived fund accepts no donations, and past donations keep its name.
  archived_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint fund_archived_is_unpublished check (archived_at is null or not published)
);
create index fund_list on fund (organization_id, created_at, id);

-- A period of fundraising with a goal. Archived like a fund.
create table campaign (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  slug text not null,
  name text not null,
  description text,
  goal_cents bigint check (goal_cents > 0),
  is_active boolean not null,
  start_date timestamptz(3),
  end_date timestamptz(3),
  archived_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (organization_id, slug),
  constraint campaign_archived_is_inactive check (archived_at is null or not is_active)
);
create index campaign_list on campaign (organization_id, created_at, id);


-- Search terms and sortable names: docs/decisions/0045-filters-search-and-sums.md -----------------------------
--
-- They are PL/pgSQL, which a session compiles once: a statement would parse functions in SQL again for each column
-- that calls them. They call built-in functions only, because a backup is restored without a search path.

-- Removes accents and case, as names are compared. A server that was built without ICU has only the lower case of
-- its own locale.
do $$
declare
  has_icu boolean := exists (
    select from pg_collation
    where collname = 'und-x-icu' and collnamespace = 'pg_catalog'::regnamespace);
begin
  execute format(
    $function$
      create function fold_text(given text) returns text
      language plpgsql immutable strict parallel safe as $body$
      begin
        return lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]+', '', 'g') %s);
      end $body$
    $function$,
    case when has_icu then 'collate pg_catalog."und-x-icu"' else '' end);
end $$;

-- The words of a folded text as search terms. Spaces and punctuation of ASCII, Latin-1, Unicode's general block and
-- CJK separate words, as in resources/search/search.ts.
create function search_words(prefix text, folded text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  words text[] := regexp_split_to_array(
    coalesce(folded, ''),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+');
  word text;
  terms text[] := '{}';
begin
  foreach word in array words loop
    if word <> '' then
      terms := terms || (prefix || left(word, 40));
    end if;
  end loop;
  return terms;
end $$;

-- All endings of at least three digits of a number, so that a prefix search finds any part of it.
create function search_digits(prefix text, given text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  number text := left(regexp_replace(coalesce(given, ''), '[^0-9]', '', 'g'), 20);
  terms text[] := '{}';
begin
  for start_at in 1 .. length(number) - 2 loop
    terms := terms || (prefix || substr(number, start_at));
  end loop;
  return terms;
end $$;

-- In the columns `search` below, each term begins with six digits of the organization's SHA-256, so that one index
-- serves all organizations, and with a letter for its kind of field, so that a session cannot search fields that
-- its masks hide. In the columns `…name_key`, rows without a name get the highest character and so sort last.
-- The search indexes limit the entries that wait to be merged (`gin_pending_list_limit`, in kB), because every
-- search reads them.


-- Donors, payouts, monthly donations, donations ---------------------------------------------------------------

-- A person who has donated, found by email address. Created when a donation with an email address is recorded, or by
-- a member for a donation that has only a name.
create table donor (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  email text,
  email_key text generated always as (lower(email)) stored,
  first_name text,
  last_name text,
  phone text,
  city text,
  state text,
  postal_code text,
  country text,
  source text not null,
  -- When a member erased the donor's personal data: docs/decisions/0101-donor-data.md. The row stays, so that the
  -- donations of one person still belong together.
  erased_at timestamptz(3),
  -- The donor into which a member merged this one. The row keeps its email address alone, by which the person is still
  -- recognized, and its id.
  merged_into text collate "C" references donor,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  name_key text collate "C" not null generated always as (
    left(coalesce(nullif(btrim(fold_text(
      coalesce(first_name, '') || ' ' || coalesce(last_name, ''))), ''), chr(1114111)), 60)) stored,
  -- Terms for name (n), words of the email address (e), the whole address (m), phone (p) and city (a).
  search tsvector not null generated always as (array_to_tsvector(
    search_words(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'n',
      fold_text(coalesce(first_name, '') || ' ' || coalesce(last_name, '')))
    || search_words(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'e', fold_text(email))
    || array[left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'm'
      || left(fold_text(coalesce(email, '')), 100)]
    || search_digits(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'p', phone)
    || search_words(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'a', fold_text(city)))) stored,
  unique (organization_id, email_key),
  constraint donor_erased_is_anonymous check (
    erased_at is null or coalesce(email, first_name, last_name, phone, city, state, postal_code, country) is null),
  constraint donor_merged_is_an_address check (
    merged_into is null or coalesce(first_name, last_name, phone, city, state, postal_code, country) is null)
);
create index donor_list on donor (organization_id, created_at, id);
-- For the recurring donations of erased donors that Stripe still charges, on the home page.
create index donor_erased on donor (organization_id) where erased_at is not null;
create index donor_merged on donor (merged_into) where merged_into is not null;
create index donor_by_name on donor (organization_id, name_key, id);
create index donor_search on donor using gin (search) with (gin_pending_list_limit = 256);

-- A transfer from Stripe to the organization's bank account, as it was last fetched from Stripe.
create table payout (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  amount_cents bigint not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  status text not null check (status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  arrival_date timestamptz(3) not null,
  description text,
  statement_descriptor text,
  processor_payout_id text collate "C" unique,
  failure_message text,
  -- False for a payout that a person made at Stripe, which does not say what is in it.
  automatic boolean not null default true,
  trace_id text,
  -- What the transactions lack to add up to the amount, once Stripe has listed them all. Null until then, and for a
  -- payout that Stripe does not itemize.
  missing_cents bigint,
  -- False for a test, as Stripe's object says. True for a record that Stripe does not know, such as an import.
  livemode boolean not null default true,
  row_version bigint not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Terms for description and statement descriptor (t), and for the digits of the amount (d).
  search tsvector not null generated always as (array_to_tsvector(
    search_words(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 't',
      fold_text(coalesce(description, '') || ' ' || coalesce(statement_descriptor, '')))
    || array[left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'd' || abs(amount_cents)])) stored
);
create index payout_list on payout (organization_id, created_at, id);
create index payout_by_amount on payout (organization_id, amount_cents, id);
create index payout_by_arrival on payout (organization_id, arrival_date, id);
-- For the metric and the check of the installation; normally empty.
create index payout_incomplete on payout (organization_id) where missing_cents <> 0;
create index payout_search on payout using gin (search) with (gin_pending_list_limit = 256);

-- A recurring donation: a subscription at Stripe as it was last fetched (docs/decisions/0036-subscriptions.md).
-- Deleted if its first payment was never made: when Stripe reports it as expired, or by the cleanup job.
create table recurring_plan (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  frequency text not null check (frequency in ('monthly', 'quarterly', 'yearly')),
  status text not null check (status in ('active', 'paused', 'past_due', 'canceled', 'incomplete')),
  donor_name text,
  donor_email text,
  fund_id text collate "C" references fund,
  campaign_id text collate "C" references campaign,
  -- The form of the dashboard through which the subscription was started.
  form_id text collate "C" references form,
  -- The donor's language, from the donation form.
  locale text,
  -- Amounts that the donor may change to, for example `500-100000` or `500,1000`.
  amounts text not null,
  -- Rate of the card fee that the donor covers, in basis points and minor units, for example `290+30`, so that a
  -- new amount covers the fee the same way. Empty if the donor covers no fee; null until it was fetched.
  fee_cover text,
  -- The payment methods of the terms with which the subscription was started; null if the form offered those of the
  -- organization.
  payment_method_types text[],
  source text not null check (source in ('embed', 'api', 'import')),
  source_id text collate "C",
  processor_subscription_id text collate "C" not null unique,
  processor_customer_id text collate "C" not null,
  payment_method_id text,
  -- Brand and last four digits of the card, for example `visa 4242`.
  card_label text,
  -- Since when the saved payment method can no longer be charged, because the bank or the donor ended its mandate.
  payment_method_lost_at timestamptz(3),
  -- What Stripe says of the failed payment while the plan is past due: why, how many times it was tried, and when it is
  -- tried next. The code is null if the reason is unknown, or concerns a payment method that was replaced since.
  failure_code text,
  failed_attempts int,
  next_attempt_at timestamptz(3),
  -- The last invoice whose payment failed, also after it was paid: that payment is recovered money.
  failed_invoice_id text collate "C",
  next_payment_at timestamptz(3),
  canceled_at timestamptz(3),
  -- Part of signed manage links. Links with a lower number are invalid.
  link_epoch int not null default 0,
  -- False for a test, as Stripe's object says. True for a record that Stripe does not know, such as an import.
  livemode boolean not null default true,
  row_version bigint not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((status = 'canceled') = (canceled_at is not null))
);
create index recurring_plan_list on recurring_plan (organization_id, created_at, id);
-- For the recurring donations of a donor, and for the filters by status and form in the dashboard.
create index recurring_plan_of_donor on recurring_plan (organization_id, lower(donor_email))
  where donor_email is not null;
create index recurring_plan_by_status on recurring_plan (organization_id, status, created_at, id);
-- For those that need another payment method, on the home page of the dashboard.
create index recurring_plan_without_method on recurring_plan (organization_id, created_at, id)
  where payment_method_lost_at is not null;
create index recurring_plan_test on recurring_plan (organization_id, created_at, id) where not livemode;
create index recurring_plan_of_form on recurring_plan (form_id, created_at, id) where form_id is not null;

-- The search terms of a donation, or of a payment that becomes one: name (n), words of the email address (e), the whole
-- address (m), reference (r) and the digits of the amount (d).
create function donation_terms(
  organization_id text, donor_name text, donor_email text, reference text, amount_cents bigint) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(
  search_words(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'n', fold_text(donor_name))
  || search_words(left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'e', fold_text(donor_email))
  || array[left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'm'
    || left(fold_text(coalesce(donor_email, '')), 100)]
  || array[left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'r'
    || lower(replace(coalesce(reference, ''), '-', '') collate "C"),
    left(encode(sha256(organization_id::bytea), 'hex'), 6) || 'd' || amount_cents::text]);

-- Money given. Recorded when Stripe reports the payment as succeeded, never because a browser says so; afterwards
-- changed by payments/sync.ts alone.
create table donation (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- Short code by which people name the donation: docs/decisions/0086-donation-references.md. The trigger
  -- `assign_reference` sets it if none was reserved.
  reference text collate "C" not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- The part of the amount with which the donor covers the processing fee, as the form calculated it.
  fee_cover_cents bigint not null default 0 check (fee_cover_cents >= 0 and fee_cover_cents < amount_cents),
  -- All fees of the payment, its refunds and disputes. Null until Stripe reports them.
  fee_cents bigint,
  -- The part of `fee_cents` that disputes cost.
  dispute_fee_cents bigint not null default 0,
  -- The payment in the currency of the Stripe account's balance, if that is not the donation's: `fee_cents` then stays
  -- null. The net amount is after all fees, refunds and disputes.
  settlement_currency text check (settlement_currency ~ '^[a-z]{3}$'),
  settlement_amount_cents bigint,
  settlement_fee_cents bigint,
  settlement_net_cents bigint,
  -- Units of `settlement_currency` for one unit of `currency`.
  exchange_rate double precision,
  refund_status text not null default 'none' check (refund_status in ('none', 'partial', 'full')),
  refunded_amount_cents bigint not null default 0 check (refunded_amount_cents between 0 and amount_cents),
  dispute_status text not null default 'none' check (dispute_status in ('none', 'open', 'won', 'lost')),
  -- Sum of disputed amounts that were withdrawn and not returned.
  disputed_amount_cents bigint not null default 0,
  net_amount_cents bigint generated always as (
    amount_cents - fee_cents - refunded_amount_cents - disputed_amount_cents) stored,
  -- The donation less refunds and disputes. All totals add this column. One that was both refunded and disputed
  -- counts as 0, not as a negative amount.
  remaining_amount_cents bigint not null generated always as (
    greatest(amount_cents - refunded_amount_cents - disputed_amount_cents, 0)) stored,
  recurring boolean not null default false,
  plan_id text collate "C" references recurring_plan,
  -- Whether an earlier try to charge this payment of a plan had failed.
  recovered boolean not null default false,
  contact_id text collate "C" references donor,
  donor_name text,
  donor_email text,
  -- The donor's language, from the donation form.
  locale text,
  fund_id text collate "C" references fund,
  campaign_id text collate "C" references campaign,
  -- What the donor wrote in the form. Also in Stripe's metadata.
  dedication text,
  comment text,
  -- The form of the dashboard through which the donation was made; null for other donations.
  form_id text collate "C" references form,
  -- Under which name the server shows a form that has no id.
  form_name text,
  -- Origin of the page with the form.
  page_origin text,
  source text not null check (source in ('embed', 'api', 'import')),
  -- Id of the embed session, API key or OAuth connection through which the donation was made.
  source_id text collate "C",
  -- Unique, because a payment intent becomes at most one donation: docs/decisions/0040-one-donation-one-charge.md
  processor_payment_intent_id text collate "C" unique,
  -- Stripe's type of the payment method, such as `card`.
  payment_method text,
  card_brand text,
  -- The payout that contains the payment. Refunds of the payment may be in other payouts.
  payout_id text collate "C" references payout on delete set null,
  -- False for a test, as Stripe's object says. True for a record that Stripe does not know, such as an import.
  livemode boolean not null default true,
  row_version bigint not null default 0,
  -- When Stripe charged the donor: docs/decisions/0051-dates-and-time-zones.md
  paid_at timestamptz(3) not null default clock_timestamp(),
  -- When the donation was recorded, which is when its money arrived. Lists, sums and periods go by it.
  created_at timestamptz(3) not null default clock_timestamp(),
  donor_name_key text collate "C" not null generated always as (
    left(coalesce(nullif(btrim(fold_text(donor_name)), ''), chr(1114111)), 60)) stored,
  search tsvector not null generated always as (
    donation_terms(organization_id, donor_name, donor_email, reference, amount_cents)) stored,
  constraint donation_reference unique (organization_id, reference)
);
-- Also contains all columns of the totals by day on the dashboard's home page.
create index donation_list on donation (organization_id, created_at, id)
  include (currency, remaining_amount_cents, recurring, contact_id, form_id, form_name, fund_id, livemode);
create index donation_search on donation using gin (search) with (gin_pending_list_limit = 256);

-- One index for each order of the list.
create index donation_by_amount on donation (organization_id, amount_cents, id);
create index donation_by_name on donation (organization_id, donor_name_key, id);

-- One index for each filter that may match few rows, in the order of the list, so that a page is read from the
-- index however many donations lie between the matches (docs/decisions/0010-lists.md). For a rare value, a partial
-- index contains only its rows.
create index donation_by_method on donation (organization_id, payment_method, created_at, id)
  where payment_method is not null;
create index donation_by_brand on donation (organization_id, card_brand, created_at, id)
  where card_brand is not null;
create index donation_recurring on donation (organization_id, created_at, id) where recurring;
create index donation_recovered on donation (organization_id, created_at) where recovered;
create index donation_refunded on donation (organization_id, refund_status, created_at, id)
  where refund_status <> 'none';
create index donation_disputed on donation (organization_id, dispute_status, created_at, id)
  where dispute_status <> 'none';
create index donation_test on donation (organization_id, created_at, id) where not livemode;
create index donation_of_fund on donation (fund_id, created_at, id) where fund_id is not null;
create index donation_of_payout on donation (payout_id, created_at, id) where payout_id is not null;
create index donation_of_plan on donation (plan_id, created_at) where plan_id is not null;

-- The next three also contain all columns of a sum, so that it is read from the index alone: the progress of a
-- campaign (docs/decisions/0055-campaign-progress.md), and the donations of a donor and of a form in the dashboard.
create index donation_of_campaign on donation (campaign_id, created_at, id)
  include (organization_id, currency, remaining_amount_cents, contact_id, livemode)
  where campaign_id is not null;
create index donation_of_donor on donation (contact_id, created_at, id)
  include (organization_id, currency, amount_cents, refunded_amount_cents, disputed_amount_cents,
    remaining_amount_cents, livemode)
  where contact_id is not null;
create index donation_of_form on donation (form_id, created_at, id)
  include (organization_id, currency, remaining_amount_cents, contact_id, livemode)
  where form_id is not null;
-- The same for the forms without an id.
create index donation_of_form_name on donation (organization_id, form_name, created_at, id)
  include (currency, remaining_amount_cents, contact_id, livemode)
  where form_name is not null;

-- A reference that is reserved before its donation exists: docs/decisions/0086-donation-references.md. The cleanup
-- job deletes it after 30 days, unless a payment intent with it can still be paid.
create table reserved_reference (
  organization_id text collate "C" not null references organization,
  reference text collate "C" not null,
  -- Stripe's idempotency key of the request that the reference is reserved for.
  reserved_for text collate "C" not null unique,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization_id, reference)
);

-- The reference with this number: eight of 25 characters, so numbers are below 25 ^ 8 = 152,587,890,625.
create function reference_of(number bigint) returns text
language sql immutable strict parallel safe
return
  substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 6103515625 % 25)::int, 1)
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 244140625 % 25)::int, 1)
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 9765625 % 25)::int, 1)
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 390625 % 25)::int, 1)
  || '-'
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 15625 % 25)::int, 1)
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 625 % 25)::int, 1)
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 25 % 25)::int, 1)
  || substr('3456789CDFGHJKMNPQRTVWXYZ', 1 + (number / 1 % 25)::int, 1);

-- Gives a donation without a reference (imports, renewals, payments that were not created here) a free one.
create function assign_reference() returns trigger language plpgsql as $$
begin
  loop
    new.reference := reference_of(floor(random() * 152587890625)::bigint);
    exit when not exists (
      select from donation
      where organization_id = new.organization_id and reference = new.reference)
    and not exists (
      select from reserved_reference
      where organization_id = new.organization_id and reference = new.reference);
  end loop;
  return new;
end $$;
create trigger assign_reference before insert on donation
  for each row when (new.reference is null) execute function assign_reference();

-- Sums of the donations of each hour and each day (UTC), so that totals do not read every donation:
-- docs/decisions/0109-donation-totals.md. A donation to a campaign is counted in the rows of its campaign, and in
-- those of all donations, whose `campaign_id` is empty.
create table donation_total (
  organization_id text collate "C" not null references organization,
  campaign_id text collate "C" not null,
  currency text not null,
  livemode boolean not null,
  period text not null check (period in ('hour', 'day')),
  -- The start of the hour or day, in UTC.
  starts_at timestamptz(3) not null,
  donations bigint not null,
  gross_cents bigint not null,
  refunded_cents bigint not null,
  disputed_cents bigint not null,
  -- Less refunds and disputed amounts.
  raised_cents bigint not null,
  -- Donations whose fee is known, their fees, the fees of disputes among these, and their net amounts.
  known_fees bigint not null,
  fee_cents bigint not null,
  dispute_fee_cents bigint not null,
  net_cents bigint not null,
  primary key (organization_id, campaign_id, period, starts_at, currency, livemode)
) with (fillfactor = 80);

-- What donations have added to the totals since a background job last added these rows to `donation_total`. A
-- donation does not update the total itself: donations of the same hour would wait for each other's commit.
create table donation_total_change (
  id bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  campaign_id text collate "C",
  currency text not null,
  livemode boolean not null,
  -- The start of the donation's hour.
  starts_at timestamptz(3) not null,
  donations bigint not null,
  gross_cents bigint not null,
  refunded_cents bigint not null,
  disputed_cents bigint not null,
  raised_cents bigint not null,
  known_fees bigint not null,
  fee_cents bigint not null,
  dispute_fee_cents bigint not null,
  net_cents bigint not null
);
create index donation_total_change_list on donation_total_change (organization_id, starts_at);

-- Records what a new, changed or deleted donation adds to the totals.
create function change_donation_total() returns trigger language plpgsql as $$
begin
  insert into donation_total_change (organization_id, campaign_id, currency, livemode, starts_at, donations,
    gross_cents, refunded_cents, disputed_cents, raised_cents, known_fees, fee_cents, dispute_fee_cents, net_cents)
  select donation.organization_id, donation.campaign_id, donation.currency, donation.livemode,
    date_trunc('hour', donation.created_at, 'UTC'), sign, sign * donation.amount_cents,
    sign * donation.refunded_amount_cents, sign * donation.disputed_amount_cents,
    sign * donation.remaining_amount_cents,
    sign * num_nonnulls(donation.fee_cents), sign * coalesce(donation.fee_cents, 0),
    sign * donation.dispute_fee_cents,
    sign * coalesce(donation.net_amount_cents, 0)
  from (values (1, new), (-1, old)) as changed (sign, donation_row),
    lateral (select (donation_row).*) as donation
  where donation.id is not null;
  return null;
end $$;
create trigger change_donation_total after insert or delete on donation
  for each row execute function change_donation_total();
create trigger change_donation_total_on_update after update on donation
  for each row when (
    (old.campaign_id, old.currency, old.livemode, old.created_at, old.amount_cents, old.refunded_amount_cents,
      old.disputed_amount_cents, old.fee_cents, old.dispute_fee_cents)
    is distinct from
    (new.campaign_id, new.currency, new.livemode, new.created_at, new.amount_cents, new.refunded_amount_cents,
      new.disputed_amount_cents, new.fee_cents, new.dispute_fee_cents))
  execute function change_donation_total();

-- A payment intent that this service created at Stripe, with its last known state. Its id is Stripe's, `pi_…`.
-- Written by `POST /payment-intents`, and by Stripe's events if a crash lost the row.
create table payment_intent (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- `processing`: confirmed by the donor, and the money arrives days later, as with a bank debit.
  status text not null check (status in ('open', 'processing', 'failed', 'succeeded')),
  -- When Stripe created the newest event that was applied.
  status_at timestamptz(3),
  -- When the money of a processing payment is expected.
  expected_at timestamptz(3),
  -- Stripe's type of the payment method, such as sepa_debit. Null before it is known.
  payment_method text,
  failure_code text,
  failure_message text,
  -- Number of declined cards.
  failed_attempts int not null default 0,
  -- When the intent was closed after too many declined cards. It accepts no further card.
  closed_at timestamptz(3),
  -- The recurring plan of which this intent is a payment. No foreign key, because a plan that was never paid is
  -- deleted.
  plan_id text collate "C",
  -- Whether it is a later payment of the plan, by bank debit. Saved while it is processing: Stripe repeats one that
  -- failed, and no form waits for it.
  is_renewal boolean not null default false,
  -- Fund, campaign and form of the donation when the intent was created, to compare with Stripe's metadata, which
  -- the organization can edit.
  fund_id text collate "C",
  campaign_id text collate "C",
  form_id text collate "C",
  -- Under which name the server shows a form that has no id, for the link in an email.
  form_name text,
  source text not null check (source in ('embed', 'api')),
  source_id text collate "C" not null,
  -- Reserved for the donation that the intent becomes.
  reference text collate "C",
  -- The donor of a payment that is processing or failed afterwards, for lists and emails. Null otherwise.
  donor_name text,
  donor_email text,
  locale text,
  -- False for a test, as Stripe's object says. True for a record that Stripe does not know, such as an import.
  livemode boolean not null default true,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index payment_intent_processing on payment_intent (organization_id, created_at, id) where status = 'processing';
-- For corrections and erasures of a donor, and for the cleanup job.
create index payment_intent_of_donor on payment_intent (organization_id, lower(donor_email))
  where donor_email is not null or donor_name is not null;
create index payment_intent_declined on payment_intent (organization_id, created_at)
  where failed_attempts > 0 and closed_at is null;

-- A refund that a member requested in the dashboard, or that was made at Stripe: docs/decisions/0034-refunds.md.
-- A request is saved before Stripe is called, so that a repeated one finds it.
create table refund (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  donation_id text collate "C" not null references donation on delete cascade,
  amount_cents bigint not null check (amount_cents > 0),
  -- `requested`: saved before Stripe is called. `submitted`: created at Stripe, not final there. `failed`: rejected or
  -- canceled by Stripe, or failed at the donor's bank. The donation counts a submitted or succeeded refund; only the
  -- synchronization counts it, because a requested one may already have its id at Stripe.
  status text not null check (status in ('requested', 'submitted', 'succeeded', 'failed')),
  -- The idempotency key at Stripe. Null if the refund was not requested here.
  idempotency_key text collate "C" unique,
  -- Null until Stripe has created the refund.
  processor_refund_id text collate "C" unique,
  -- The refunded amount of the donation that the member saw. Null if the refund was not requested here.
  refunded_before_cents bigint,
  reason text,
  failure_reason text,
  -- Internal note for the organization's staff.
  note text,
  -- Id of the person who requested the refund. No foreign key: it stays when the person is deleted.
  requested_by text collate "C",
  created_at timestamptz(3) not null default clock_timestamp(),
  check (idempotency_key is not null or processor_refund_id is not null)
);
create index refund_of on refund (donation_id, created_at);
create index refund_list on refund (organization_id, created_at, id);

-- A dispute of a donation, as it was last fetched from Stripe.
create table donation_dispute (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  donation_id text collate "C" not null references donation on delete cascade,
  processor_dispute_id text collate "C" not null unique,
  amount_cents bigint not null,
  -- 'inquiry' while the bank only asks and has taken no money, 'none' once it has stopped asking.
  status text not null check (status in ('none', 'inquiry', 'open', 'won', 'lost')),
  reason text,
  -- Stripe's deadline for evidence.
  evidence_due_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp()
);
create index donation_dispute_of on donation_dispute (donation_id, created_at);
create index donation_dispute_list on donation_dispute (organization_id, created_at, id);

-- The balance transactions at Stripe, which payouts consist of. Joined to donations when read, because a payout may be
-- recorded before the donations in it. Money of a payout that failed is paid again by a later payout, so a transaction
-- may be in several payouts.
create table balance_transaction (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- Null while no payout contains it. Payouts made by hand contain none, because Stripe does not say which.
  payout_id text collate "C" references payout on delete cascade,
  -- Null for an imported donation.
  processor_transaction_id text collate "C",
  -- The charge, refund, dispute, payout or other object at Stripe.
  processor_source_id text collate "C",
  -- The payment of a charge, refund or dispute.
  processor_payment_intent_id text collate "C",
  -- The donation of a transaction without a payment intent: an imported one.
  donation_id text collate "C" references donation on delete cascade,
  -- Stripe's classification for bookkeeping, to which Stripe adds values.
  reporting_category text not null,
  -- Negative if the transaction reduces the payout.
  amount_cents bigint not null,
  fee_cents bigint not null,
  fee_details jsonb not null default '[]',
  currency text not null check (currency ~ '^[a-z]{3}$'),
  exchange_rate double precision,
  available_on timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (payout_id, processor_transaction_id),
  constraint balance_transaction_source check (num_nonnulls(processor_payment_intent_id, donation_id) <= 1)
);
create index balance_transaction_list on balance_transaction (payout_id, created_at, id);
create index balance_transaction_unpaid on balance_transaction (organization_id, created_at, id) where payout_id is null;
create index balance_transaction_by_processor_id on balance_transaction (organization_id, processor_transaction_id);
create index balance_transaction_of on balance_transaction (processor_payment_intent_id);
create index balance_transaction_of_donation on balance_transaction (donation_id) where donation_id is not null;


-- Records of donors: docs/decisions/0101-donor-data.md ----------------------------------------------------------

-- A note of a member about a donor. Deleted by its author or an owner, and when the donor is erased.
create table donor_note (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  donor_id text collate "C" not null references donor on delete cascade,
  text text not null,
  -- Id of the member; null if that person has been deleted.
  author_id text collate "C" references person on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  edited_at timestamptz(3)
);
create index donor_note_of on donor_note (donor_id, created_at, id);

-- What members did with the record of a donor. When the donor is erased, the changed values go and the row stays.
create table donor_change (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  donor_id text collate "C" not null references donor on delete cascade,
  type text not null check (type in ('corrected', 'receipt_sent', 'exported', 'merged', 'erased')),
  -- The donation whose receipt was sent again.
  donation_id text collate "C" references donation on delete cascade,
  -- Values before and after a correction, and of a merged donor: `DonorChangeDetails` in column-types.ts.
  details jsonb not null default '{}',
  -- Id of the member. No foreign key: it stays when the person is deleted.
  person_id text collate "C" not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index donor_change_of on donor_change (donor_id, created_at, id);
create index donor_change_of_donation on donor_change (donation_id) where donation_id is not null;


-- Stripe accounts, events and reconciliation ------------------------------------------------------------------

-- The row versions of everything that is fetched from Stripe. A number is drawn before the fetch, and a result is
-- saved only if its row has no larger number.
create sequence row_version_seq;

-- An organization's Stripe account, as it was last fetched. Its id is Stripe's, `acct_…`.
create table processor_account (
  id text collate "C" primary key,
  organization_id text collate "C" not null unique references organization,
  charges_enabled boolean not null,
  payouts_enabled boolean not null,
  details_submitted boolean not null,
  disabled_reason text,
  -- Stripe's names of the requirements that are past due or currently due.
  requirements_due text[] not null default '{}',
  -- The payment methods of ours that Stripe has enabled for the account, and Link.
  payment_method_types text[] not null default '{card}',
  row_version bigint not null default 0,
  fetched_at timestamptz(3) not null default clock_timestamp()
);

-- The keys of an organization's own Stripe account, which it uses without a platform. Deleted when an owner removes
-- them: docs/decisions/0099-first-run-and-own-stripe-keys.md
create table stripe_key (
  organization_id text collate "C" primary key references organization,
  -- Encrypted with API_SECRET, as is the secret of the webhook endpoint.
  encrypted_secret_key text not null,
  -- The last four characters, by which people recognize the key.
  secret_key_end text not null,
  publishable_key text not null,
  livemode boolean not null,
  -- The endpoint that was created at Stripe. Null if the key may not create one.
  webhook_endpoint_id text collate "C",
  -- Null until the owner has entered the signing secret of an endpoint that they created.
  encrypted_webhook_secret text,
  created_at timestamptz(3) not null default clock_timestamp()
);

-- A website on which Apple Pay and Google Pay may be shown. Written when an embed session names a new origin or a
-- member adds it in the dashboard; deleted there.
create table payment_domain (
  organization_id text collate "C" not null references organization,
  domain text collate "C" not null,
  -- Null until the reconciliation job has registered the domain at Stripe.
  processor_domain_id text collate "C",
  apple_pay text,
  google_pay text,
  -- Stripe's reason why Apple Pay is not active on the domain.
  problem text,
  checked_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization_id, domain)
);

-- A Stripe event that was handled, so that a repeated delivery changes nothing. The cleanup job deletes it after 30
-- days; Stripe retries for three.
create table processor_event (
  id text collate "C" not null,
  organization_id text collate "C" not null references organization,
  type text not null,
  -- False for a payment without a card, such as a bank debit, which says nothing about card testing.
  is_card boolean not null default true,
  received_at timestamptz(3) not null default clock_timestamp(),
  -- An organization with its own Stripe keys can sign events with the ids of others.
  primary key (organization_id, id)
);
create index processor_event_age on processor_event (received_at);
-- For counting cards that were tried during an attack, from the index alone.
create index processor_event_attempts on processor_event (organization_id, received_at) include (type)
  where type in ('payment_intent.payment_failed', 'payment_intent.succeeded') and is_card;

-- Progress of the reconciliation of an organization with Stripe: docs/decisions/0033-sync-and-reconciliation.md
-- Each mode has its own, so that what happens while the keys are those of the other mode is fetched afterwards.
create table reconciliation (
  organization_id text collate "C" not null references organization,
  livemode boolean not null,
  -- Creation time of the newest Stripe event that was processed, by Stripe's clock.
  events_processed_until timestamptz(3),
  last_run_at timestamptz(3),
  compared_at timestamptz(3),
  primary key (organization_id, livemode)
);


-- Card testing: docs/decisions/0047-card-testing.md -----------------------------------------------------------

-- A period in which stolen cards were tried on the forms of an organization.
create table attack_alarm (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  started_at timestamptz(3) not null default clock_timestamp(),
  -- The last sign of the attack. The alarm lasts 15 minutes longer.
  last_detected_at timestamptz(3) not null default clock_timestamp(),
  -- Highest counts in any 15 minutes of the attack.
  declined_cards int not null check (declined_cards > 0),
  attempted_cards int not null check (attempted_cards >= declined_cards)
);
create index attack_alarm_newest on attack_alarm (organization_id, last_detected_at);

-- The cards that one payment intent may try, counted by form and by network address. Written by `reserve_cards`
-- before the payment intent is created; deleted if Stripe rejects that request, and by the cleanup job one day
-- after its end. Logged, unlike `rate_limit`: a restart must not give a card tester a new budget.
create table card_reservation (
  -- Idempotency key of the request at Stripe.
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- Hash of the form's name; for a hosted page the id of the embed session.
  form_key text collate "C" not null,
  -- Keyed hash of the donor's network address. Null if it is unknown.
  address_hash text collate "C",
  -- Whether the donor sent a proof of work.
  has_proof_of_work boolean not null,
  -- Number of reserved cards; after the payment intent has ended, of cards that were tried.
  card_count int not null check (card_count >= 0),
  -- Number of declines that cancels the payment intent.
  max_declines int not null check (max_declines > 0),
  -- Null until the payment intent has been created.
  payment_intent_id text collate "C",
  created_at timestamptz(3) not null default clock_timestamp(),
  -- When the payment intent was paid or canceled. The cards count for ten more minutes.
  ended_at timestamptz(3),
  -- When the next attempt to cancel the idle payment intent is due. Null before the first attempt.
  retry_at timestamptz(3)
);
create index card_reservation_of_form on card_reservation (organization_id, form_key, ended_at);
create index card_reservation_of_address on card_reservation (address_hash, ended_at)
  where address_hash is not null;
create unique index card_reservation_of_intent on card_reservation (payment_intent_id)
  where payment_intent_id is not null;
create index card_reservation_open on card_reservation (created_at) where ended_at is null;

-- Reserves cards (payments/fraud/card-budget.ts). It takes the locks and then counts, all in one round trip: each
-- statement of a volatile function sees what was committed before it starts, so the count contains the
-- reservations of requests that held the locks before. A single statement without the function would count as of
-- the time before it waited.
--
-- Returns `form` or `address`, whose budget is used up, or null if the cards are reserved.
create function reserve_cards(
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
end $$;

-- The queue before Stripe, while more donations arrive than it accepts: docs/decisions/0110-processor-queue.md. A
-- row is the second in which one request may be sent. Unlogged, as a crash of the database may forget who waits.
create unlogged table processor_turn (
  -- Idempotency key of the request at Stripe.
  request_key text collate "C" primary key,
  -- The Stripe account whose own keys are used, or `platform`.
  queue text collate "C" not null,
  -- Second of the Unix epoch.
  turn_second bigint not null,
  -- Order of arrival.
  place bigint not null generated always as identity,
  -- Whether the request was sent.
  is_taken boolean not null
);
create index processor_turn_of_queue on processor_turn (queue, turn_second);

-- Takes the turn of a request (payments/processor-queue.ts). Returns its position in line and the seconds until its
-- turn; null for both if the request may be sent now. A place is kept for five minutes after its turn.
-- Like `reserve_cards` a function, because it counts after it has taken the lock.
create function take_processor_turn(
  request text, of_queue text, turns_per_second int, can_wait boolean, is_rejected boolean,
  out queue_position int, out wait_seconds int
) language plpgsql as $$
declare
  now_second bigint;
  mine processor_turn;
  own_second bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('processor ' || of_queue, 22));
  now_second := floor(extract(epoch from clock_timestamp()));
  delete from processor_turn where queue = of_queue and turn_second < now_second - 300;
  select * into mine from processor_turn where request_key = request;

  if found and is_rejected then
    -- Stripe did not accept it in its turn, so it is first in line.
    update processor_turn set turn_second = now_second + 1, is_taken = false
    where request_key = request returning * into mine;
  elsif found and not mine.is_taken and mine.turn_second <= now_second then
    -- Counts in the second in which it is sent.
    update processor_turn set turn_second = now_second, is_taken = true where request_key = request;
    return;
  elsif found and mine.is_taken and mine.turn_second = now_second then
    return;
  elsif not found or mine.is_taken then
    select greatest(now_second, max(turn_second)) into own_second from processor_turn where queue = of_queue;
    if (select count(*) from processor_turn where queue = of_queue and turn_second = own_second)
      >= turns_per_second then own_second := own_second + 1; end if;
    if own_second = now_second or can_wait then
      insert into processor_turn (request_key, queue, turn_second, is_taken)
      values (request, of_queue, own_second, own_second = now_second)
      on conflict (request_key) do update set queue = excluded.queue,
        turn_second = excluded.turn_second, place = default, is_taken = excluded.is_taken
      returning * into mine;
    end if;
    if own_second = now_second then return; end if;
  end if;

  -- A request without a place would be last.
  select count(*) + 1 into queue_position from processor_turn
  where queue = of_queue and not is_taken and turn_second >= now_second
    and (mine.request_key is null or (turn_second, place) < (mine.turn_second, mine.place));
  wait_seconds := greatest(1,
    ceil(coalesce(mine.turn_second, own_second) - extract(epoch from clock_timestamp())));
end $$;


-- Events and registrations: docs/decisions/0028-events-and-registrations.md -----------------------------------
--
-- Constraints reject invalid rows from every writer: a check-in without its time, a ticket type of another event,
-- a fixed price with "pay what you want".

-- A fundraising event that people register for. Only a draft without registrations can be deleted.
create table event (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  slug text not null,
  title text not null,
  description text,
  location text,
  event_format text not null check (event_format in ('in_person', 'online', 'hybrid')),
  online_meeting_url text,
  timezone text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3),
  -- Null for a draft.
  published_at timestamptz(3),
  published boolean not null generated always as (published_at is not null) stored,
  -- When the event was canceled, which is permanent.
  cancelled_at timestamptz(3),
  registration_opens_at timestamptz(3),
  registration_closes_at timestamptz(3),
  pricing_mode text not null check (pricing_mode in ('free', 'fixed', 'pay_what_you_want', 'ticketed')),
  -- For the pricing mode `fixed`.
  price_cents bigint check (price_cents > 0),
  -- For the pricing mode `pay_what_you_want`.
  pwyw_min_cents bigint check (pwyw_min_cents >= 0),
  pwyw_suggested_cents bigint check (pwyw_suggested_cents >= pwyw_min_cents),
  -- Null if the number of attendees is not limited.
  capacity int check (capacity > 0),
  allow_waitlist boolean not null default false,
  requires_approval boolean not null default false,
  campaign_id text collate "C" references campaign,
  fund_id text collate "C" references fund,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (organization_id, slug),
  check (ends_at >= starts_at),
  check (registration_closes_at >= registration_opens_at),
  check ((pricing_mode = 'fixed') = (price_cents is not null)),
  check ((pricing_mode = 'pay_what_you_want') = (pwyw_min_cents is not null)),
  check (pwyw_min_cents is not null or pwyw_suggested_cents is null),
  constraint event_cancelled_is_unpublished check (cancelled_at is null or published_at is null)
);
create index event_list on event (organization_id, created_at, id);
create index event_list_published on event (organization_id, published, created_at, id);
-- The filter `upcoming` compares `starts_at` while the list is sorted by `created_at`: matches are found, then
-- sorted.
create index event_upcoming on event (organization_id, starts_at);

-- A kind of ticket of an event with the pricing mode `ticketed`. Deleted with its event, or alone if no
-- registration has it.
create table event_ticket_type (
  id text collate "C" primary key,
  event_id text collate "C" not null references event on delete cascade,
  name text not null,
  description text,
  price_cents bigint not null check (price_cents >= 0),
  capacity int check (capacity > 0),
  sort_order int not null default 0,
  is_active boolean not null default true,
  -- For the foreign key of `registration`.
  unique (event_id, id)
);

-- The seats that one attendee registered for. Written by the API, and by Stripe's events about its payment.
create table registration (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  event_id text collate "C" not null references event,
  ticket_type_id text collate "C",
  attendee_name text,
  attendee_email text,
  attendee_phone text,
  status text not null
    check (status in ('pending', 'confirmed', 'cancelled', 'checked_in', 'waitlisted', 'refunded')),
  quantity int not null default 1 check (quantity > 0),
  attendee_names text[] not null default '{}',
  amount_paid_cents bigint not null default 0 check (amount_paid_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_paid_cents),
  refunded_at timestamptz(3),
  checked_in_at timestamptz(3),
  source text not null,
  -- SHA-256 of the code in the check-in QR code. Responses of the API never contain this column or the next three.
  check_in_hash bytea unique,
  processor_payment_intent_id text collate "C" unique,
  tax_cents bigint check (tax_cents >= 0),
  tax_country text,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- A ticket type of the same event.
  foreign key (event_id, ticket_type_id) references event_ticket_type (event_id, id),
  check (status <> 'checked_in' or checked_in_at is not null),
  check (status <> 'refunded' or refunded_at is not null),
  check (refunded_cents = 0 or refunded_at is not null)
);
create index registration_list on registration (event_id, created_at, id);
create index registration_list_status on registration (event_id, status, created_at, id);
-- For the registrations of a donor.
create index registration_by_email on registration (organization_id, lower(attendee_email))
  where attendee_email is not null;


-- Webhooks: docs/decisions/0008-webhooks.md -------------------------------------------------------------------

-- A URL that receives webhook events. Deleted, with its deliveries, by whoever manages it.
create table webhook_endpoint (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- The credential that created the endpoint and alone can manage it. Null for an endpoint that was created in the
  -- dashboard and belongs to the organization.
  credential_id text collate "C",
  url text not null,
  description text,
  -- Types of the events that are sent.
  events text[] not null,
  encrypted_secret text not null,
  -- The secret before the last rotation, with which deliveries are also signed until `previous_secret_until`.
  encrypted_previous_secret text,
  previous_secret_until timestamptz(3),
  -- True if the last attempt failed or was slow, or if there was none. Deliveries then use the slow lane.
  slow boolean not null default true,
  -- Start of the current period without a success. Null after a success.
  failing_since timestamptz(3),
  last_failed_at timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'revoked', 'paused')),
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_endpoint_list on webhook_endpoint (credential_id, created_at, id);
create index webhook_endpoint_organization on webhook_endpoint (organization_id, created_at, id);
create index webhook_endpoint_receivers on webhook_endpoint (organization_id) where disabled_at is null;

-- An event that is sent to webhook endpoints. Written in the transaction that changes the resource, if an endpoint
-- receives this type. The cleanup job deletes it after 30 days, when it has no delivery.
create table webhook_event (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  type text not null,
  -- The JSON text, stored as first sent, so that every attempt signs the same bytes.
  body text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The transaction that saved the event, for `connect-embed listen`, which reads events in the order of commits.
  transaction_id xid8 not null default pg_current_xact_id()
);
create index webhook_event_age on webhook_event (created_at);

-- One event for one endpoint. This table is the queue: the delivery worker claims due rows. The cleanup job deletes
-- a finished one after 30 days.
create table webhook_delivery (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  endpoint_id text collate "C" not null references webhook_endpoint on delete cascade,
  event_id text collate "C" not null references webhook_event,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  -- Attempts before the last manual redelivery, which restarts the schedule.
  attempts_before_redelivery int not null default 0,
  last_response_status int,
  last_error text,
  next_attempt_at timestamptz(3) default clock_timestamp(),
  -- A worker has claimed the delivery until this time. Afterwards another worker may claim it.
  leased_until timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (event_id, endpoint_id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'delivered') = (delivered_at is not null))
);
create index webhook_delivery_list on webhook_delivery (endpoint_id, created_at, id);
-- For the filters by status: few deliveries are failed or pending among many that were delivered.
create index webhook_delivery_failed on webhook_delivery (endpoint_id, created_at, id) where status = 'failed';
create index webhook_delivery_pending on webhook_delivery (endpoint_id, created_at, id) where status = 'pending';
-- For the delivery worker and the cleanup job.
create index webhook_delivery_queue on webhook_delivery (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'pending';
create index webhook_delivery_leased on webhook_delivery (endpoint_id, leased_until) where leased_until is not null;
create index webhook_delivery_finished on webhook_delivery (created_at) where status <> 'pending';

-- One attempt of a delivery, written by the delivery worker. Deleted with its delivery.
create table webhook_attempt (
  delivery_id text collate "C" not null references webhook_delivery on delete cascade,
  number int not null,
  started_at timestamptz(3) not null,
  duration_ms int not null,
  response_status int,
  error text,
  primary key (delivery_id, number)
);


-- Emails: docs/decisions/0038-email.md ------------------------------------------------------------------------

-- An email to a donor or an owner. This table is the queue of the mail worker. The content is composed when it is
-- sent, so a row contains no address and no link. The cleanup job deletes it after 30 days.
create table mail (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organization,
  -- `EmailKind` in column-types.ts.
  kind text not null,
  -- Prevents the same email from being queued twice.
  deduplication_key text collate "C" not null unique,
  donation_id text collate "C" references donation on delete cascade,
  plan_id text collate "C" references recurring_plan on delete cascade,
  -- The payment of an email about money that is on its way, or that was returned.
  payment_intent_id text collate "C" references payment_intent on delete cascade,
  -- Values that may change before the email is sent: `EmailDetails` in column-types.ts.
  details jsonb not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz(3) default clock_timestamp(),
  -- A worker has claimed the email until this time. Afterwards another worker may claim it.
  leased_until timestamptz(3),
  -- Error codes of the mail server, without addresses.
  last_error text,
  sent_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'sent') = (sent_at is not null))
);
create index mail_queue on mail (next_attempt_at) where status = 'pending';
create index mail_age on mail (created_at);
create index mail_of_donation on mail (donation_id, created_at) where donation_id is not null;
create index mail_of_plan on mail (plan_id, created_at) where plan_id is not null;
create index mail_of_payment_intent on mail (payment_intent_id, created_at) where payment_intent_id is not null;

-- An email as it was sent, for the mailbox of a development machine. Empty if mail is sent by SMTP. Deleted with
-- its row in `mail`.
create table development_mail (
  mail_id text collate "C" primary key references mail on delete cascade,
  email jsonb not null,
  sent_at timestamptz(3) not null default clock_timestamp()
);


-- Live tables: docs/decisions/0058-live-tables.md -------------------------------------------------------------

-- The log of created and changed donations, donors and payouts, and of changed funds and campaigns, in the order of
-- transactions. A replica is read only if it has an organization's last change: docs/decisions/0111-read-replica.md.
-- The cleanup job deletes a row after one day.
create table resource_change (
  organization_id text collate "C" not null,
  -- The transaction. Its number is of type `xid8`, which does not wrap around.
  xid xid8 not null default pg_current_xact_id(),
  seq bigint not null generated always as identity,
  -- Name of the table.
  kind text not null,
  resource_id text collate "C" not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization_id, xid, seq)
);
create index resource_change_age on resource_change (created_at);

-- Triggers write the log, so that every writer is covered: imports, commands and refunds. They run once for each
-- statement. They do not call `pg_notify`, because PostgreSQL serializes the commits of transactions that do.
create function log_inserted_rows() returns trigger language plpgsql as $$
begin
  insert into resource_change (organization_id, kind, resource_id)
    select organization_id, tg_table_name, id from new_rows;
  return null;
end $$;

-- Updates of `row_version` alone are not logged.
create function log_updated_rows() returns trigger language plpgsql as $$
begin
  insert into resource_change (organization_id, kind, resource_id)
    select new_rows.organization_id, tg_table_name, new_rows.id
    from new_rows join old_rows using (id)
    where to_jsonb(new_rows) - 'row_version' is distinct from to_jsonb(old_rows) - 'row_version';
  return null;
end $$;

create trigger log_inserted_rows after insert on donation
  referencing new table as new_rows for each statement execute function log_inserted_rows();
create trigger log_updated_rows after update on donation
  referencing new table as new_rows old table as old_rows
  for each statement execute function log_updated_rows();

create trigger log_inserted_rows after insert on donor
  referencing new table as new_rows for each statement execute function log_inserted_rows();
create trigger log_updated_rows after update on donor
  referencing new table as new_rows old table as old_rows
  for each statement execute function log_updated_rows();

create trigger log_inserted_rows after insert on payout
  referencing new table as new_rows for each statement execute function log_inserted_rows();
create trigger log_updated_rows after update on payout
  referencing new table as new_rows old table as old_rows
  for each statement execute function log_updated_rows();

-- Lists of donations show the names of funds and campaigns.
create trigger log_updated_rows after update on fund
  referencing new table as new_rows old table as old_rows
  for each statement execute function log_updated_rows();
create trigger log_updated_rows after update on campaign
  referencing new table as new_rows old table as old_rows
  for each statement execute function log_updated_rows();

-- An open live stream (`GET /live`) of any process. Renewed every few seconds; deleted when the stream ends, when
-- a newer stream of the session replaces it, or when its process no longer renews it.
-- Unlogged, because no stream survives a crash of the database.
create unlogged table live_stream (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  session_id text collate "C" not null,
  process text collate "C" not null,
  opened_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);
create index live_stream_of_session on live_stream (session_id);
