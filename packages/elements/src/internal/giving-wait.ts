import { fill } from './fill.ts';
import { wordsOf } from './messages/give.ts';
import { renderInfo } from './notice-face.ts';
import type { OpenedForm } from './opened-form.ts';
import { pause, type Wait } from './session.ts';

/** Waits where the donor can see it; short pauses need no words. */
export const waitInSight = ({ draft, show }: OpenedForm): Wait =>
  async function wait(seconds, why) {
    const texts = () => wordsOf(draft);
    if (why === 'proof_required') {
      show({ busy: texts().checking, step: '', spoken: texts().checkingWhy });
    }
    const busy = why === 'rate_limited';
    if (!busy && !(why === 'conflict' && seconds > 1)) return pause(seconds);
    for (let left = seconds; left > 0; left -= 1) {
      const { [busy ? 'busy' : 'pleaseWait']: said, busyWait } = texts();
      const shown = fill(busyWait, { seconds: inWords(left, draft.wording.words) });
      show({ notice: renderInfo(said, shown), step: '', spoken: said });
      await pause(1);
    }
    show({ notice: undefined, spoken: texts().pleaseWait });
  };

function inWords(seconds: number, language: string): string {
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, unit).format(seconds);
}
