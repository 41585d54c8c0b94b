import '@angular/compiler'; // Needed to compile templates in the browser.
import {
  Component,
  CUSTOM_ELEMENTS_SCHEMA,
  provideZonelessChangeDetection,
  signal,
} from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';

class App {
  changes = signal(0);
  thanked = signal(0);
}

const Drawn = Component({
  selector: '#app',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<main [class]="'changed-' + changes()">
    <p id="changes">{{ changes() }}</p>
    <p id="thanked">{{ thanked() }}</p>
    <connect-donate
      form="default"
      [class]="'changed-' + changes()"
      (connect-change)="changes.set(changes() + 1)"
      (connect-success)="thanked.set(thanked() + 1)"
    ></connect-donate>
  </main>`,
})(App);

await bootstrapApplication(Drawn ?? App, { providers: [provideZonelessChangeDetection()] });
