import { isIP } from 'node:net';
import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { forOrganization } from '../db/organization-scope.ts';
import type { WorkerDeps } from './deps.ts';
import type { Db } from '../db/schema.ts';

type DomainDeps = Pick<WorkerDeps, 'db' | 'processor'>;

/**
 * Limit of payment method domains (websites on which Apple Pay and Google Pay may be shown) for
 * each organization. Donation forms are rarely on more websites.
 */
const MAX_DOMAINS = 50;

/**
 * Returns the host name of a website that an owner typed, such as `https://www.example.org/give` or
 * `example.org`.
 *
 * @throws {ConnectError} `invalid_request` naming `domain` if the host is not public, because
 *   Stripe must be able to load it
 */
export function parseDomain(text: string): string {
  const input = text.trim();
  const host = URL.parse(input.includes('://') ? input : `https://${input}`)?.hostname ?? '';
  const isPublicName =
    /^[^*]+\.[^*]+$/.test(host) &&
    !isIP(host.replace(/[[\]]/g, '')) &&
    !/\.local(host)?$/.test(host);
  if (!isPublicName) throw invalidRequest('domain', 'must be a public website.');
  return host;
}

/**
 * Registers the domain of a page with a donation form at Stripe, which Apple Pay and Google Pay
 * require.
 *
 * @throws {ConnectError} `invalid_request` naming `domain`, `conflict`, `unavailable`
 */
export async function addDomain(
  deps: DomainDeps,
  organization: { id: string; account: string },
  text: string,
): Promise<string> {
  const domain = parseDomain(text);
  const existing = await listDomains(deps.db, organization.id);
  if (existing.length >= MAX_DOMAINS && !existing.some((saved) => saved.domain === domain)) {
    throw new ConnectError('conflict', `The limit is ${MAX_DOMAINS} websites.`, {
      code: 'limit_reached',
    });
  }
  await forOrganization(deps.db, organization.id)
    .insertInto('payment_domain', { domain })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await registerDomain(deps, organization, domain);
  return domain;
}

/**
 * Saves the domains of pages with a donation form, up to `MAX_DOMAINS`. The reconciliation job
 * registers them at Stripe. Origins without a public host name are skipped.
 */
export async function addFormDomains(db: Db, organizationId: string, origins: readonly string[]) {
  const domains = origins.flatMap((origin) => tryParseDomain(origin) ?? []);
  if (domains.length === 0) return;
  const knownDomains = new Set((await listDomains(db, organizationId)).map(({ domain }) => domain));
  const newDomains = [...new Set(domains)].filter((domain) => !knownDomains.has(domain));
  const rows = newDomains
    .slice(0, Math.max(0, MAX_DOMAINS - knownDomains.size))
    .map((domain) => ({ domain }));
  if (rows.length === 0) return;
  await forOrganization(db, organizationId)
    .insertInto('payment_domain', rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes a domain here only. Its registration at Stripe remains, which does no harm. */
export const removeDomain = (db: Db, organizationId: string, domain: string) =>
  forOrganization(db, organizationId)
    .deleteFrom('payment_domain')
    .where('domain', '=', domain)
    .execute();

export const listDomains = (db: Db, organizationId: string) =>
  forOrganization(db, organizationId)
    .selectFrom('payment_domain')
    .selectAll()
    .orderBy('domain')
    .execute();

/**
 * Registers an organization's domains at Stripe: the new ones only, or every domain on which Apple
 * Pay or Google Pay is not active. Includes the domain of this service, because it hosts donation
 * pages.
 */
export async function registerDomains(
  deps: DomainDeps & Pick<WorkerDeps, 'baseUrl'>,
  organization: { id: string; account: string },
  scope: 'new' | 'inactive' = 'inactive',
): Promise<void> {
  await addFormDomains(deps.db, organization.id, [deps.baseUrl]);
  for (const site of await listDomains(deps.db, organization.id)) {
    const { domain, apple_pay, google_pay, checked_at } = site;
    if (apple_pay === 'active' && google_pay === 'active') continue;
    if (scope === 'new' && checked_at) continue;
    try {
      await registerDomain(deps, organization, domain);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      // One failing domain must not stop the others.
      await saveDomainProblem(deps.db, organization.id, domain, error.message);
    }
  }
}

const saveDomainProblem = (db: Db, organizationId: string, domain: string, problem: string) =>
  forOrganization(db, organizationId)
    .updateTable('payment_domain')
    .set({ problem, checked_at: new Date() })
    .where('domain', '=', domain)
    .execute();

function tryParseDomain(text: string): string | undefined {
  try {
    return parseDomain(text);
  } catch {
    return undefined; // Local address of a developer.
  }
}

/**
 * Registers a domain and saves the wallet states that Stripe returns. The caller handles errors.
 */
async function registerDomain(
  { db, processor }: DomainDeps,
  { id, account }: { id: string; account: string },
  domain: string,
): Promise<void> {
  const state = await processor.registerDomain(domain, account);
  await forOrganization(db, id)
    .updateTable('payment_domain')
    .set({
      processor_domain_id: state.id,
      apple_pay: state.applePay,
      google_pay: state.googlePay,
      problem: state.applePayError,
      checked_at: new Date(),
    })
    .where('domain', '=', domain)
    .execute();
}
