import type { Donation, List } from '@connect-embed/contract';
import type { PagedList } from '../internal/paged-list.ts';
import type { Resource } from './table-element.ts';

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

let isHintLogged = false;

function logHintOnce({ localName }: HTMLElement) {
  if (isHintLogged) return;
  isHintLogged = true;
  console.info(
    `<${localName}> names the donors of a payout where its session has the component "donations": let your server's "authorize" allow it, and put a <connect-donations> or <connect-donation-details> under the same provider, or name it in fetchSession.`,
  );
}
