import { expect } from 'playwright/test';
import { VERSION } from '../../../support/version.ts';
import { FORM, type HostCase } from '../host-case.ts';

/**
 * Pages that load our script in different positions and numbers, and pages with scripts that patch
 * built-ins.
 */

/** Extends built-in prototypes like Prototype.js 1.6: enumerable methods, several of them replaced. */
const POLLUTION = `
  const extend = (target, methods) => { for (const name in methods) target[name] = methods[name]; };
  const inspect = (value) => '"' + String(value).replace(/"/g, '\\\\"') + '"';
  const toArray = function () { return [].slice.call(this); };
  extend(Array.prototype, {
    each(act) { for (let at = 0; at < this.length; at++) act(this[at], at); return this; },
    first() { return this[0]; }, last() { return this[this.length - 1]; },
    entries: toArray, toArray, clear() { this.length = 0; return this; },
    reduce() { return this.length > 1 ? this : this[0]; },
    without(...values) { return this.filter((one) => !values.includes(one)); },
    toJSON() { return '[' + this.join(', ') + ']'; },
  });
  extend(String.prototype, {
    strip() { return this.trim(); }, toArray() { return this.split(''); }, toJSON() { return inspect(this); },
    sub(pattern, text) { return this.replace(pattern, text); }, blank() { return !this.trim(); },
  });
  extend(Number.prototype, { succ() { return this + 1; }, toJSON() { return String(this); } });
  extend(Function.prototype, {
    bind(context, ...early) { const call = this; return function (...late) { return call.apply(context, [...early, ...late]); }; },
    wrap(wrapper) { const call = this; return function (...args) { return wrapper.apply(this, [call, ...args]); }; },
    delay(seconds) { setTimeout(this, seconds * 1000); },
  });
  extend(Element.prototype, {
    remove() { this.parentNode.removeChild(this); return this; },
    update(text) { this.textContent = text; return this; }, select(selector) { return this.querySelectorAll(selector); },
    visible() { return this.style.display !== 'none'; }, show() { this.style.display = ''; return this; },
    hide() { this.style.display = 'none'; return this; },
  });
  Object.prototype.keysOf = function () { return Object.keys(this); };
  Array.from = (list) => { const all = []; for (let at = 0; at < (list || []).length; at++) all.push(list[at]); return all; };
  const Native = Element;
  window.Element = function (name) { return document.createElement(name); };
  window.Element.prototype = Native.prototype;
  window.$ = (id) => document.getElementById(id);
`;

/** Wraps built-in functions, as monitoring and A/B testing scripts do. */
const WRAPPERS = `
  const fetched = window.fetch;
  window.fetch = async function (...args) {
    const answer = await fetched.call(window, new Request(...args));
    void answer.clone().text();
    return answer;
  };
  const define = customElements.define;
  customElements.define = function (name, element, options) {
    const wrapped = class extends element {
      connectedCallback() { this.dataset.seen = name; super.connectedCallback?.(); }
    };
    return define.call(customElements, name, wrapped, options);
  };
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (...args) { return listen.apply(this, args); };
`;

export const scripts: HostCase[] = [
  {
    name: 'a base URL on another host',
    page: ({ script }) => ({
      head: '<base href="https://elsewhere.example/deep/down/">',
      body: script + FORM,
    }),
  },
  {
    name: 'a base URL on another host and a classic script',
    page: ({ server }) => ({
      head: '<base href="https://elsewhere.example/deep/down/" target="_blank">',
      body: `<script async src="${server}/connect.js"></script>${FORM}`,
    }),
  },
  {
    name: 'polluted built-ins',
    page: ({ script }) => ({ head: `<script>${POLLUTION}</script>`, body: script + FORM }),
  },
  {
    name: 'wrapped fetch and customElements',
    page: ({ script }) => ({ head: `<script>${WRAPPERS}</script>`, body: script + FORM }),
    afterTyping: ({ form }) => expect(form).toHaveAttribute('data-seen', 'connect-donate'),
  },
  { name: 'the script in the head', page: ({ script }) => ({ head: script, body: FORM }) },
  {
    name: 'a blocking script in the head',
    page: ({ server }) => ({ head: `<script src="${server}/connect.js"></script>`, body: FORM }),
  },
  { name: 'the script at the end', page: ({ script }) => ({ body: FORM + script }) },
  {
    name: 'the same script twice',
    page: ({ script, server }) => ({
      body: `${script}${FORM}${script}<script async src="${server}/connect.js?again"></script>`,
    }),
  },
  {
    name: 'two versions of the script',
    page: ({ script, server }) => ({
      head: `<script type="module" src="${server}/v${VERSION}/connect.js"></script>`,
      body: FORM + script,
    }),
  },
  {
    name: 'a script address of an earlier release',
    page: ({ server }) => ({
      head: '<base href="https://elsewhere.example/deep/down/">',
      body: `<script async src="${server}/connect.js?form=default"></script>
        <connect-donate form="default"></connect-donate>`,
    }),
  },
  {
    name: 'an imported script',
    page: ({ server }) => ({
      head: `<script src="https://elsewhere.example/wallet-connect.js" type="x"></script>
        <script type="module">await import('${server}/connect.js')</script>`,
      body: FORM,
    }),
  },
  {
    name: 'a form added by innerHTML',
    page: ({ script }) => ({ body: `${script}<main></main>` }),
    before: ({ page }) =>
      page.locator('main').evaluate((main, form) => void (main.innerHTML = form), FORM),
  },
  {
    name: 'a script added after the form',
    page: () => ({ body: FORM }),
    before: async ({ page, system }) => {
      await page.evaluate((src) => {
        document.body.append(Object.assign(document.createElement('script'), { src }));
      }, `${system.server}/connect.js`);
    },
  },
];
