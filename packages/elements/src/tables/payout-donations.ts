import type { Donation, List } from '@connect-embed/contract';
import type { PagedList } from './paged-list.ts';
import type { Resource } from './column.ts';

/**
 * Fetches the donations of a payout, which contain the names of the donors, if the session may read
 * donations. If it may not, a console message tells the owner of the page which component is missing.
 */
export function payoutDonations(
  element: HTMLElement,
  { session, abort: { signal } }: Pick<PagedList<Resource>, 'session' | 'abort'>,
  payoutId: string,
) {
  return async (cursor: string | null): Promise<List<Donation> | undefined> => {
    const { components } = (await session?.minted) ?? {};
    if (!components?.includes('donations')) {
      logHintOnce(element);
      return undefined;
    }
    const query = new URLSearchParams({
      payout_id: payoutId,
      limit: '100',
      ...(cursor && { cursor }),
    });
    return session!.read('payouts', `/donations?${query}`, signal);
  };
}

/** Fetches a donation that the payout refunds or whose dispute it contains. Another payout contains its payment. */
export const donationOfPayout = (
  { session, abort }: Pick<PagedList<Resource>, 'session' | 'abort'>,
  id: string,
): Promise<Donation> =>
  session!.read('payouts', `/donations/${encodeURIComponent(id)}`, abort.signal);

let isHintLogged = false;

function logHintOnce({ localName }: HTMLElement) {
  if (isHintLogged) return;
  isHintLogged = true;
  console.info(
    `<${localName}> shows the donors of a payout only if its session includes the component "donations". Allow it in "authorize" on your server, and add <connect-donations> or <connect-donation-details> to the same provider, or request the component in fetchSession.`,
  );
}
