import { html } from 'hono/html';
import type { Html } from '../../layout.ts';

interface Search {
  q: string;
  /** What is searched. */
  hint: string;
  /** Names the link that leads to the whole list; undefined where the whole list is shown. */
  clear: string | undefined;
}

/**
 * The form that searches a list. It is sent by POST because people search for e-mail addresses; the
 * response leads to an address that can be shared (`encrypted-search.ts`).
 *
 * @param path address of the list
 */
export const searchForm = (
  path: string,
  { q, hint, clear }: Search,
  filters: Html | '' = '',
): Html =>
  html`<form method="post" action="${path}/search" class="panel find" role="search" novalidate>
    <div class="field">
      <label for="q">Search</label>
      <div class="line">
        <input
          id="q"
          name="q"
          type="search"
          maxlength="100"
          autocomplete="off"
          aria-describedby="q-hint"
          value="${q}"
        />
        <button>Search</button>
      </div>
      <span id="q-hint" class="small quiet">${hint}</span>
    </div>
    ${filters} ${clear ? html`<p><a href="${path}">${clear}</a></p>` : ''}
  </form>`;
