import '@connect-embed/elements/define/connect-donate.js';
import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';

@Component({
  selector: 'app-give',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <connect-donate
      server="https://giving.example.org"
      [form]="form"
      (connect-ready)="state.set('Ready')"
    />
    <p>{{ state() }}</p>
  `,
})
export class Give {
  form = 'meals';
  state = signal('Loading');
}
