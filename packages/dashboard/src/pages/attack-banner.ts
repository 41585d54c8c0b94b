import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { exactTimeElement } from './dashboard-layout.ts';

/**
 * Renders the warning on every page of an organization while its donation forms are under a card
 * testing attack.
 */
export const attackBanner = (until: Date, timeZone: string): Html =>
  html`<div class="notice problem" role="alert">
    <p>
      <strong>Stolen cards are being tested on your donation form.</strong> Until at least
      ${exactTimeElement(until, timeZone)}, every donation takes the donor’s browser a second or two
      longer. You do not have to do anything. It helps to raise the minimum amount of the form, and
      to refund donations that you do not recognize.
    </p>
  </div>`;
