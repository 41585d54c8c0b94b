import { ConnectError } from '@connect-embed/contract';
import type { WorkerDeps } from '../env.ts';
import type { OnboardingUrls } from '../processor/accounts.ts';
import { saveAccount } from './accounts.ts';
import { nextRowVersion } from './row-version.ts';

type OnboardingDeps = Pick<WorkerDeps, 'db' | 'processor'>;

/**
 * Opens an organization's account at the processor, where it has none, and leads to where the
 * processor asks what it has to know.
 *
 * @returns an address, good for minutes and once
 * @throws {ConnectError} what an owner can do about it: `conflict`, `unavailable`
 */
export async function startOnboarding(
  deps: OnboardingDeps,
  organizationId: string,
  urls: OnboardingUrls,
): Promise<string> {
  try {
    const account = await ensureAccount(deps, organizationId);
    return await deps.processor.createOnboardingLink(account, urls);
  } catch (cause) {
    if (!(cause instanceof ConnectError) || cause.type !== 'unavailable') throw cause;
    const message =
      'Stripe cannot be reached at the moment. Press again in a minute: however often you press, you get one account.';
    throw new ConnectError('unavailable', message, { cause });
  }
}

/**
 * The processor's key follows from the organization, so that it gets one account, however often and
 * by however many this is asked.
 *
 * @returns the account's id
 */
async function ensureAccount(
  { db, processor }: OnboardingDeps,
  organizationId: string,
): Promise<string> {
  const loadOrganization = () =>
    db
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
  const {
    processor_account_id: known,
    name,
    contact_email: email,
    website,
  } = await loadOrganization();
  if (known) return known;
  const reading = await nextRowVersion(db);
  const state = await processor.createAccount({ organizationId, name, email, website });
  const saved = await db
    .updateTable('organization')
    .set({ processor_account_id: state.id })
    .where('id', '=', organizationId)
    .where('processor_account_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (saved) await saveAccount(db, organizationId, state, reading);
  // Somebody else has pressed too: theirs counts.
  return saved ? state.id : ((await loadOrganization()).processor_account_id ?? state.id);
}
