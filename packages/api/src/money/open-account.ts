import { ConnectError } from '@connect-embed/contract';
import type { WorkDeps } from '../env.ts';
import type { OnboardingPlaces } from '../processor/accounts.ts';
import { keepAccount } from './accounts.ts';
import { takeReading } from './reading.ts';

type Needs = Pick<WorkDeps, 'db' | 'processor'>;

/**
 * Opens an organization's account at the processor, where it has none, and leads to where the
 * processor asks what it has to know.
 *
 * @returns an address, good for minutes and once
 * @throws {ConnectError} what an owner can do about it: `conflict`, `unavailable`
 */
export async function onboard(
  deps: Needs,
  organizationId: string,
  places: OnboardingPlaces,
): Promise<string> {
  try {
    const account = await openAccount(deps, organizationId);
    return await deps.processor.createOnboardingLink(account, places);
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
async function openAccount({ db, processor }: Needs, organizationId: string): Promise<string> {
  const find = () =>
    db
      .selectFrom('organization')
      .selectAll()
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
  const { processor_account_id: known, name, contact_email: email, website } = await find();
  if (known) return known;
  const reading = await takeReading(db);
  const state = await processor.createAccount({ organizationId, name, email, website });
  const kept = await db
    .updateTable('organization')
    .set({ processor_account_id: state.id })
    .where('id', '=', organizationId)
    .where('processor_account_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (kept) await keepAccount(db, organizationId, state, reading);
  // Somebody else has pressed too: theirs counts.
  return kept ? state.id : ((await find()).processor_account_id ?? state.id);
}
