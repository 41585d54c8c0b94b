import '@connect-embed/elements/define/connect-donations.js';
import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';
import { fetchSession } from './fetch-session';

@Component({
  selector: 'app-donations',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <connect-provider [fetchSession]="fetchSession">
      <connect-donations></connect-donations>
    </connect-provider>
  `,
})
export class Donations {
  fetchSession = fetchSession;
}
