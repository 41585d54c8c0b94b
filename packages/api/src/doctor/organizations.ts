import type { Deps } from '../env.ts';
import { formatError } from '../format-error.ts';
import { syncAccount } from '../money/accounts.ts';
import { listDomains, registerDomains } from '../money/domains.ts';
import { right, unsure, wrong, type Finding } from './finding.ts';

/** Every organization may take gifts, and wallets show where its forms are. */
export async function checkOrganizations(deps: Deps): Promise<Finding[]> {
  const organizations = await deps.db
    .selectFrom('organization')
    .select(['id', 'name', 'processor_account_id as account'])
    .orderBy('id')
    .execute();
  if (organizations.length === 0) {
    return [unsure('Organizations: there is none.', 'Run: connect organizations create --help')];
  }
  const findings: Finding[] = [];
  for (const { id, name, account } of organizations) {
    findings.push(await checkAccount(deps, { id, name, account }));
    if (account) findings.push(await checkDomains(deps, { id, name, account }));
  }
  return findings;
}

async function checkAccount(
  deps: Deps,
  { id, name, account }: { id: string; name: string; account: string | null },
): Promise<Finding> {
  const page = `${deps.baseUrl}/dashboard/${id}/payments`;
  if (!account) return wrong(`${name}: has no account at the processor.`, `Open one at ${page}`);
  try {
    const state = await syncAccount(deps, account);
    if (!state?.chargesEnabled) {
      return wrong(`${name}: ${account} may not take payments.`, `Go on at ${page}`);
    }
    if (!state.payoutsEnabled) {
      return unsure(`${name}: takes donations, but is not paid out.`, `Go on at ${page}`);
    }
    return right(`${name}: ${account} takes donations and is paid out.`);
  } catch (error) {
    return wrong(
      `${name}: ${account}: ${formatError(error)}`,
      'Try again; else look at it in Stripe.',
    );
  }
}

async function checkDomains(
  deps: Deps,
  organization: { id: string; name: string; account: string },
): Promise<Finding> {
  const { id, name } = organization;
  const todo = `Name the sites with its form at ${deps.baseUrl}/dashboard/${id}/payments`;
  try {
    await registerDomains(deps, organization);
  } catch (error) {
    return unsure(`${name}: sites for wallets: ${formatError(error)}`, todo);
  }
  const domains = await listDomains(deps.db, id);
  const dark = domains.filter(
    ({ apple_pay, google_pay }) => apple_pay !== 'active' || google_pay !== 'active',
  );
  if (domains.length === 0) return unsure(`${name}: no site is named for wallets.`, todo);
  if (dark.length === 0) return right(`${name}: wallets show on ${domains.length} named sites.`);
  const which = dark.map(({ domain, problem }) => `${domain}${problem ? ` (${problem})` : ''}`);
  return wrong(`${name}: wallets do not show on ${which.join(', ')}.`, todo);
}
