import '@connect-embed/elements/define/connect-donations.js';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import type { CellRenderer, Donation } from '@connect-embed/elements';

@Component({
  selector: 'app-donations',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <connect-provider server="https://giving.example.org" [viewerToken]="token()">
      <connect-donations limit="10" [renderers]="renderers">
        <template slot="cell-donor" ngNonBindable>
          <b>{{ donor_name }}</b>
        </template>
      </connect-donations>
    </connect-provider>
  `,
})
export class Donations {
  renderers: Record<string, CellRenderer<Donation>> = {
    amount: ({ amount_cents }) => `${amount_cents / 100} dollars`,
  };
  // Empty until the token is loaded: no request is sent before.
  token = signal('');

  constructor() {
    void fetch('/viewer-token').then(async (response) => this.token.set(await response.text()));
  }
}
