import { interpolate } from '@connect-embed/contract/interpolate';
import { messagesOf } from './form-messages.ts';
import { renderInfoBanner } from './banner-view.ts';
import type { FormContext } from './form-context.ts';
import { waitSeconds, type WaitForRetry } from './retry-policy.ts';

/**
 * Waits before a retry, with a countdown that the donor can see: of the seconds, or of the position in
 * line. Short waits show none.
 */
export const createVisibleWait = ({ draft, setViewState }: FormContext): WaitForRetry =>
  async function wait(seconds, why, position) {
    const messages = () => messagesOf(draft);
    if (why === 'proof_required') {
      setViewState({
        buttonStatus: messages().checking,
        progress: '',
        announcement: messages().checkingWhy,
      });
    }
    const busy = why === 'rate_limited';
    if (!busy && !(why === 'conflict' && seconds > 1)) return waitSeconds(seconds);
    for (let remaining = seconds; remaining > 0; remaining -= 1) {
      const { [busy ? 'busy' : 'pleaseWait']: message, busyWait, busyPosition } = messages();
      const { code } = draft.formLanguage;
      const showPosition = (place: number) =>
        interpolate(busyPosition, { position: new Intl.NumberFormat(code).format(place) });
      // The line moves at a constant rate, so the position can be counted down with the seconds.
      const shown = position
        ? showPosition(Math.ceil((position * remaining) / seconds))
        : interpolate(busyWait, { seconds: formatSeconds(remaining, code) });
      setViewState({
        banner: renderInfoBanner(message, shown),
        progress: '',
        announcement: position ? `${message} ${showPosition(position)}` : message,
      });
      await waitSeconds(1);
    }
    setViewState({ banner: undefined, announcement: messages().pleaseWait });
  };

function formatSeconds(seconds: number, language: string): string {
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, unit).format(seconds);
}
