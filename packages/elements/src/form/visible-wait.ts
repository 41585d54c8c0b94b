import { interpolate } from '@connect-embed/contract/interpolate';
import { renderInfoBanner } from './banner-view.ts';
import type { FlowContext } from './flow-context.ts';
import { waitSeconds, type WaitForRetry } from './retry-policy.ts';

/**
 * Waits before a retry, with a countdown that the donor can see: of the seconds, or of the position in
 * line. Short waits show none.
 */
export const createVisibleWait = ({ language, setViewState }: FlowContext): WaitForRetry =>
  async function wait(seconds, why, position) {
    if (why === 'proof_required') {
      setViewState({
        buttonStatus: language.messages.checking,
        progress: '',
        announcement: language.messages.checkingWhy,
      });
    }
    const busy = why === 'rate_limited';
    if (!busy && !(why === 'conflict' && seconds > 1)) return waitSeconds(seconds);
    for (let remaining = seconds; remaining > 0; remaining -= 1) {
      const { messages, code } = language;
      const message = busy ? messages.busy : messages.pleaseWait;
      const showPosition = (place: number) =>
        interpolate(messages.busyPosition, { position: new Intl.NumberFormat(code).format(place) });
      // The line moves at a constant rate, so the position can be counted down with the seconds.
      const shown = position
        ? showPosition(Math.ceil((position * remaining) / seconds))
        : interpolate(messages.busyWait, { seconds: formatSeconds(remaining, code) });
      setViewState({
        banner: renderInfoBanner(message, shown),
        progress: '',
        announcement: position ? `${message} ${showPosition(position)}` : message,
      });
      await waitSeconds(1);
    }
    setViewState({ banner: undefined, announcement: language.messages.pleaseWait });
  };

function formatSeconds(seconds: number, language: string): string {
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, unit).format(seconds);
}
