import type { Deps } from '../deps.ts';
import { STRIPE_VARIABLES } from '../config.ts';
import { formatError } from '../lib/log.ts';
import { syncAccount } from '../payments/accounts.ts';
import { listDomains, registerDomains } from '../payments/domains.ts';
import { findOwnKeys } from '../payments/own-keys/manage-keys.ts';
import { eventsUrl } from '../payments/own-keys/webhook-endpoint.ts';
import { passed, warning, failure, type CheckResult } from './check-result.ts';

interface Organization {
  id: string;
  name: string;
  /** Its Stripe account. */
  account: string | null;
}

/**
 * Checks that each organization can accept donations, and that Apple Pay and Google Pay are active on
 * the domains of its forms.
 */
export async function checkOrganizations(deps: Deps): Promise<CheckResult[]> {
  const organizations = await deps.db
    .selectFrom('organization')
    .select(['id', 'name', 'processor_account_id as account'])
    .orderBy('id')
    .execute();
  if (organizations.length === 0) {
    return [warning('Organizations: none yet.', 'Run: connect-embed organizations create --help')];
  }
  const findings: CheckResult[] = [];
  for (const { id, name, account } of organizations) {
    const keys = await findOwnKeys(deps, id);
    if (account && !keys && !deps.processor.hasPlatform) {
      findings.push(missingKeys(deps, { id, name, account }));
      continue;
    }
    findings.push(await checkAccount(deps, { id, name, account }));
    if (keys) findings.push(checkOwnKeys(deps, { id, name }, keys));
    if (account) findings.push(await checkDomains(deps, { id, name, account }));
  }
  return findings;
}

async function checkAccount(deps: Deps, { id, name, account }: Organization): Promise<CheckResult> {
  const page = `${deps.baseUrl}/dashboard/${id}/payments`;
  if (!account)
    return failure(
      `${name}: no account at the card processor.`,
      `Connect with Stripe or enter keys at ${page}`,
    );
  try {
    const state = await syncAccount(deps, account);
    if (!state?.chargesEnabled) {
      return failure(`${name}: ${account} cannot accept payments.`, `Continue at ${page}`);
    }
    if (!state.payoutsEnabled) {
      return warning(`${name}: accepts donations, but payouts are off.`, `Continue at ${page}`);
    }
    return passed(`${name}: ${account} accepts donations and receives payouts.`);
  } catch (error) {
    return failure(
      `${name}: ${account}: ${formatError(error)}`,
      'Try again, or check the account in Stripe.',
    );
  }
}

const missingKeys = ({ baseUrl }: Deps, { id, name, account }: Organization) =>
  failure(
    `${name}: ${account} cannot be used without the keys of its platform.`,
    `Set ${STRIPE_VARIABLES.join(', ')}, or enter the organization's own keys at ${baseUrl}/dashboard/${id}/payments`,
  );

/** Checks that Stripe reports the payments of an organization with its own keys. */
function checkOwnKeys(
  { baseUrl }: Deps,
  { id, name }: { id: string; name: string },
  { has_webhook_secret }: { has_webhook_secret: boolean },
): CheckResult {
  if (has_webhook_secret)
    return passed(`${name}: Stripe sends events to ${eventsUrl(baseUrl, id)}.`);
  const fix = `Set up payment notifications at ${baseUrl}/dashboard/${id}/payments`;
  return failure(
    `${name}: Stripe sends no events, because no readable signing secret is stored.`,
    fix,
  );
}

async function checkDomains(
  deps: Deps,
  organization: { id: string; name: string; account: string },
): Promise<CheckResult> {
  const { id, name } = organization;
  const fix = `Add the websites with its form at ${deps.baseUrl}/dashboard/${id}/payments`;
  try {
    await registerDomains(deps, organization);
  } catch (error) {
    return warning(`${name}: websites for wallets: ${formatError(error)}`, fix);
  }
  const domains = await listDomains(deps.db, id);
  const unverifiedDomains = domains.filter(
    ({ apple_pay, google_pay }) => apple_pay !== 'active' || google_pay !== 'active',
  );
  if (domains.length === 0) return warning(`${name}: no website is registered for wallets.`, fix);
  if (unverifiedDomains.length === 0)
    return passed(`${name}: wallets are shown on ${domains.length} registered websites.`);
  const domainList = unverifiedDomains.map(
    ({ domain, problem }) => `${domain}${problem ? ` (${problem})` : ''}`,
  );
  return failure(`${name}: wallets are not shown on ${domainList.join(', ')}.`, fix);
}
