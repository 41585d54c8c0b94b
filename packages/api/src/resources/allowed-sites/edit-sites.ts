import { ConnectError, invalidRequest, SiteOrigin } from '@connect-embed/contract';
import {
  findSharedDomain,
  originMatcher,
  sharedDomainProblem,
} from '@connect-embed/contract/site-origin';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../lib/id.ts';
import { addFormDomains } from '../../payments/domains.ts';

/** Limit of websites of an organization. Each page with a form can be on one of them. */
const MAX_SITES = 100;

/**
 * Returns the origin of a website that an owner entered: `example.org`, `https://example.org/give` or
 * `https://*.example.org` for every subdomain.
 *
 * @throws {ConnectError} `invalid_request` naming `origin`
 */
export function parseSite(text: string): string {
  const input = text.trim().toLowerCase();
  const isLocal = /^(?:[\w-]+\.)*localhost(?:[:/]|$)/.test(input);
  const url = input.includes('://') ? input : `${isLocal ? 'http' : 'https'}://${input}`;
  // `URL` does not accept an asterisk in a host name.
  const origin = /^https:\/\/\*[^/?#]*/.exec(url)?.[0] ?? URL.parse(url)?.origin ?? '';
  const shared = findSharedDomain(origin);
  if (shared?.owner === 'registry') throw invalidRequest('origin', sharedDomainProblem(origin)!);
  if (shared || SiteOrigin.safeParse(origin).success) return origin;
  throw invalidRequest(
    'origin',
    origin.startsWith('http://')
      ? 'must start with https://. Only localhost may use http://.'
      : 'must be a website such as https://www.example.org, or https://*.example.org for every subdomain.',
  );
}

/**
 * Adds a website that may show the forms and tables of the organization. Its domain is also registered
 * for wallets. A website that is on the list already stays there once.
 *
 * @param confirmed whether the owner has confirmed to allow all websites on a domain that is shared with
 *   others, such as `https://*.github.io`
 * @throws {ConnectError} `invalid_request` naming `origin`, or `confirmed` if the owner must confirm; `conflict`
 *   if the list is full
 */
export async function addSite(
  db: Db,
  organizationId: string,
  text: string,
  { confirmed = false } = {},
): Promise<string> {
  const origin = parseSite(text);
  const origins = await listOrigins(db, organizationId);
  if (origins.includes(origin)) return origin;
  const shared = findSharedDomain(origin);
  if (shared && !confirmed) {
    throw invalidRequest(
      'confirmed',
      `must be selected: others have websites on ${shared.domain} too, and they could all show your forms.`,
    );
  }
  if (origins.length >= MAX_SITES) {
    throw new ConnectError('conflict', `The limit is ${MAX_SITES} websites. Remove one first.`, {
      code: 'limit_reached',
    });
  }
  await forOrganization(db, organizationId)
    .insertInto('allowed_site', { id: newId('site'), origin })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await addFormDomains(db, organizationId, [origin]);
  await removeAnsweredRequests(db, organizationId, origin);
  return origin;
}

/** Removes the requests of websites that a new entry allows. */
async function removeAnsweredRequests(db: Db, organizationId: string, entry: string) {
  const organization = forOrganization(db, organizationId);
  const requests = await organization.selectFrom('allowed_site_request').select('origin').execute();
  const answered = requests.map(({ origin }) => origin).filter(originMatcher([entry]));
  if (answered.length === 0) return;
  await organization.deleteFrom('allowed_site_request').where('origin', 'in', answered).execute();
}

/** Removes a website. Pages on it can show nothing of the organization within a minute. */
export async function removeSite(db: Db, organizationId: string, id: string): Promise<void> {
  await forOrganization(db, organizationId)
    .deleteFrom('allowed_site')
    .where('id', '=', id)
    .execute();
}

/** Lists the websites of an organization, the oldest first. */
export const listSites = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('allowed_site')
    .select(['id', 'origin', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export async function listOrigins(db: Db, organizationId: string): Promise<string[]> {
  return (await listSites(db, organizationId)).map(({ origin }) => origin);
}
