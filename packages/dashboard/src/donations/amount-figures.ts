import { formatMoney } from '@connect-embed/contract';
import { LOCALE } from '@connect-embed/api/http/page-shell';

/** The amounts of one donation, or the sums of several in one currency. Fee and net may be unknown. */
interface Amounts {
  currency: string;
  gross_cents: number;
  refunded_cents: number;
  disputed_cents: number;
  fee_cents: number | null;
  /** The part of `fee_cents` that disputes cost. */
  dispute_fee_cents: number;
  net_cents: number | null;
}

/**
 * Lists the figures of one or several donations. Gross less all that follow is net. Disputes are listed only if
 * there are any.
 *
 * @param unknown says why fee and net are unknown
 */
export function amountFigures(amounts: Amounts, unknown: string): [string, string][] {
  const { fee_cents, dispute_fee_cents, disputed_cents } = amounts;
  const money = (cents: number | null) =>
    cents === null ? unknown : formatMoney(cents, amounts.currency, LOCALE);
  const disputed: [string, string][] = disputed_cents ? [['Disputed', money(disputed_cents)]] : [];
  const fees: [string, string][] =
    fee_cents !== null && dispute_fee_cents
      ? [
          ['Payment fee', money(fee_cents - dispute_fee_cents)],
          ['Dispute fee', money(dispute_fee_cents)],
        ]
      : [['Fee', money(fee_cents)]];
  return [
    ['Gross', money(amounts.gross_cents)],
    ['Refunded', money(amounts.refunded_cents)],
    ...disputed,
    ...fees,
    ['Net', money(amounts.net_cents)],
  ];
}
