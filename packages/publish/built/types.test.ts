import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { InstalledSite } from './installed-site.ts';

const TSC = join(import.meta.dirname, '../../../node_modules/typescript7/bin/tsc');
const site = new InstalledSite(['react', '@types/react', 'preact', 'solid-js', 'svelte', 'vue']);
after(() => site.remove());

/** Compiles one file in strict mode with the framework's JSX settings. */
function compile(file: string, text: string, jsxImportSource = 'react'): void {
  writeFileSync(join(site.folder, file), text);
  const config = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      skipLibCheck: true,
      jsx: jsxImportSource === 'solid-js' ? 'preserve' : 'react-jsx',
      jsxImportSource,
    },
    files: [file],
  };
  writeFileSync(join(site.folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [TSC, '-p', site.folder], { encoding: 'utf8' });
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout);
  }
}

/** Returns source code with valid and invalid uses of the tags, the same in every JSX dialect. */
const jsx = (framework: string) => `
import '@connect-embed/elements/types/${framework}';
export const form = (
  <connect-donate
    server="https://giving.example.org"
    form="meals"
    display="button"
    amount="50"
    onconnect-success={(event) => event.paymentIntentId.toUpperCase()}
  />
);
export const table = (
  <connect-donations viewerToken="viewer" limit={10} defaultFilters={{ fund_id: 'fund_1' }}
    onconnect-row-click={(event) => event.row.id} />
);
export const word = <connect-payouts viewer-token="viewer" paging="pages" />;
// @ts-expect-error -- not a value of display
export const display = <connect-donate display="popup" />;
// @ts-expect-error -- not a value of paging
export const paging = <connect-payouts paging="endless" />;
// @ts-expect-error -- not a value of theme
export const theme = <connect-provider theme="purple" />;
// @ts-expect-error -- not a property of the element
export const wrong = <connect-donate formName="meals" />;
// @ts-expect-error -- not a field of the event
export const field = <connect-donate onconnect-success={(event) => event.amount} />;
`;

describe('types of the tags', () => {
  test('in plain TypeScript', () =>
    compile(
      'dom.ts',
      `import '@connect-embed/elements/define.js';
       const form = document.createElement('connect-donate');
       form.display = 'button';
       form.addEventListener('connect-success', (event) => event.amountCents.toFixed());
       document.createElement('connect-donors').addEventListener('connect-row-click', (event) => event.row.id);
       document.body.addEventListener('connect-row-click', (event) => {
         if (event.resourceType === 'donation') event.row.amount_cents.toFixed();
         // @ts-expect-error -- not a field of the rows of any table
         event.row.amount_cents;
       });
       // @ts-expect-error -- not a value of display
       form.display = 'popup';
       // @ts-expect-error -- not a value of paging
       document.createElement('connect-payouts').paging = 'endless';`,
    ));

  test('in JSX of React 19', () => compile('react.tsx', jsx('react')));

  test('in JSX of Preact', () => compile('preact.tsx', jsx('preact'), 'preact'));

  test('in JSX of Solid', () =>
    compile(
      'solid.tsx',
      `import '@connect-embed/elements/types/solid';
       export const form = <connect-donate form="meals" on:connect-success={(event) => event.amountCents} />;
       export const table = <connect-donations prop:viewerToken="viewer" attr:limit="10" viewer-token="viewer" />;
       // @ts-expect-error -- not a value of display
       export const display = <connect-donate display="popup" />;
       // @ts-expect-error -- not a field of the event
       export const field = <connect-donate on:connect-success={(event) => event.amount} />;`,
      'solid-js',
    ));

  test('in templates of Svelte', () =>
    compile(
      'svelte.ts',
      `import '@connect-embed/elements/types/svelte';
       import type { SvelteHTMLElements } from 'svelte/elements';
       export const form: SvelteHTMLElements['connect-donate'] = {
         form: 'meals', amount: '50', 'onconnect-success': (event) => event.amountCents.toFixed(),
       };
       // @ts-expect-error -- not a value of display
       export const display: SvelteHTMLElements['connect-donate'] = { display: 'popup' };
       // @ts-expect-error -- not a property of the element
       export const wrong: SvelteHTMLElements['connect-donate'] = { formName: 'meals' };`,
    ));

  test('in templates of Vue', () =>
    compile(
      'vue.ts',
      `import '@connect-embed/elements/types/vue';
       import type { GlobalComponents } from 'vue';
       type Form = InstanceType<GlobalComponents['connect-donate']>;
       export const form: Form['$props'] = { form: 'meals', amount: '50', display: 'button' };
       export const tell = (form: Form) =>
         form.$emit('connect-success', null as never);
       // @ts-expect-error -- not a value of display
       export const display: Form['$props'] = { display: 'popup' };
       // @ts-expect-error -- not an event of the element
       export const wrong = (form: Form) => form.$emit('connect-thanked', null as never);`,
    ));

  test('of the React components', () =>
    compile(
      'component.tsx',
      `import type { CellRenderer, Donor } from '@connect-embed/elements';
       import { ConnectDonate, ConnectDonations, ConnectDonors, ConnectProvider } from '@connect-embed/react';
       export const form = (
         <ConnectDonate form="meals" amount="50" onConnectSuccess={(event) => event.amountCents.toFixed()}
           ref={(element) => element?.close()} />
       );
       export const table = <ConnectDonations viewerToken="viewer" limit={10} />;
       const email: CellRenderer<Donor> = ({ email }) => email;
       export const cells = (
         <ConnectProvider fetchSession={async () => ({ token: 'gb_cs_1', api_base: '/api/v1', expires_at: '' })}>
           <ConnectDonations limit="10" renderers={{ amount: ({ amount_cents }) => amount_cents.toFixed() }} />
           <ConnectDonors renderers={{ email }} />
         </ConnectProvider>
       );
       // @ts-expect-error -- not a field of a donation
       export const cell = <ConnectDonations renderers={{ amount: (row) => row.amount }} />;
       // @ts-expect-error -- a session without the address of the API
       export const session = <ConnectProvider fetchSession={async () => ({ token: '', expires_at: '' })} />;
       // @ts-expect-error -- not a value of display
       export const display = <ConnectDonate display="popup" />;
       // @ts-expect-error -- not a property of the element
       export const wrong = <ConnectDonate formName="meals" />;
       // @ts-expect-error -- not a field of the event
       export const field = <ConnectDonate onConnectSuccess={(event) => event.amount} />;`,
    ));
});
