import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { MAX_SEARCH_LENGTH } from '@connect-embed/contract/list-filters';

interface Search {
  q: string;
  /** Help text that lists the fields which are searched. */
  hint: string;
  /** Label of the link that clears the search; undefined if the list is not filtered. */
  clear: string | undefined;
}

/**
 * Renders the search form of a list. The form is submitted by POST, so that an email address that
 * somebody searches for is in no URL. The response redirects to a URL with the encrypted search,
 * which can be shared (`encrypted-search.ts`).
 *
 * @param path URL path of the list
 */
export const searchForm = (
  path: string,
  { q, hint, clear }: Search,
  filters: Html | '' = '',
): Html =>
  html`<form
    method="post"
    action="${path}/search"
    class="panel search-form"
    role="search"
    novalidate
  >
    <div class="field">
      <label for="q">Search</label>
      <div class="line">
        <input
          id="q"
          name="q"
          type="search"
          maxlength="${MAX_SEARCH_LENGTH}"
          autocomplete="off"
          aria-describedby="q-hint"
          value="${q}"
        />
        <button>Search</button>
      </div>
      <span id="q-hint" class="small muted">${hint}</span>
    </div>
    ${filters} ${clear ? html`<p><a href="${path}">${clear}</a></p>` : ''}
  </form>`;
