import { expect } from '@open-wc/testing';
import { html, nothing, render, type TemplateResult } from './html.ts';

let container: HTMLElement;

beforeEach(() => {
  container = document.createElement('div');
  document.body.append(container);
});

afterEach(() => container.remove());

const find = <Found extends Element = HTMLElement>(selector: string) =>
  container.querySelector<Found>(selector)!;

/** The HTML of the container without the comments that mark places. */
const shown = () => container.innerHTML.replaceAll('<!---->', '');

describe('a template', () => {
  it('creates the nodes that the browser’s parser would create', () => {
    const template = html`<section class="a b" title="">
      <h2>Title</h2>
      <input type="text" required />text <custom-tag data-x="1=2"></custom-tag>
      <table>
        <tbody>
          <tr>
            <td>cell</td>
          </tr>
        </tbody>
      </table>
      <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M5 5l10 10" /></svg>
    </section>`;
    render(template, container);
    const parsed = document.createElement('template');
    parsed.innerHTML = template.strings[0]!;
    expect(shown()).to.equal(parsed.innerHTML);
    expect(container.childNodes[1]!.isEqualNode(parsed.content.firstChild)).to.equal(true);
    expect(find<SVGPathElement>('path')).to.be.instanceOf(SVGPathElement);
  });

  it('is rendered after the content of its container, which stays', () => {
    container.innerHTML = '<p>own</p>';
    render(html`<i></i>`, container);
    render(html`<b></b>`, container);
    expect(shown()).to.equal('<p>own</p><b></b>');
  });

  it('keeps its nodes, the focus and typed text when its values change', () => {
    const form = (name: string) => html`<label>${name} <input value="initial" /></label>`;
    render(form('Name'), container);
    const input = find<HTMLInputElement>('input');
    input.focus();
    input.value = 'typed';
    render(form('Nom'), container);
    expect(find('input')).to.equal(input);
    expect(document.activeElement).to.equal(input);
    expect(input.value).to.equal('typed');
    expect(container.textContent.trim()).to.equal('Nom');
  });

  it('can be rendered in several places', () => {
    const icon = html`<i></i>`;
    render(html`<p>${icon} ${icon}</p>`, container);
    expect(shown()).to.equal('<p><i></i> <i></i></p>');
  });

  it('renders correctly after an update that failed', () => {
    const failing = { toString: () => expect.fail('no text') };
    const template = (value: unknown) => html`<p title=${value}></p>`;
    expect(() => render(template(failing), container)).to.throw('no text');
    render(template('text'), container);
    expect(shown()).to.equal('<p title="text"></p>');
  });
});

describe('the content of an element', () => {
  const page = (value: unknown) => html`<p>${value}</p>`;

  for (const [name, value, expected] of [
    ['a text', 'text', 'text'],
    ['a number', 0, '0'],
    ['an empty text', '', ''],
    ['nothing', nothing, ''],
    ['null', null, ''],
    ['undefined', undefined, ''],
    ['a template', html`<b>bold</b>`, '<b>bold</b>'],
    ['an array', ['a', html`<b>${1}</b>`, nothing, ['c', 'd']], 'a<b>1</b>cd'],
  ] as const) {
    it(`is ${name}, also after other values`, () => {
      render(page(value), container);
      expect(shown()).to.equal(`<p>${expected}</p>`);
      for (const other of ['before', html`<i>${['x', 'y']}</i>`, ['x', 'y'], nothing]) {
        render(page(other), container);
        render(page(value), container);
        expect(shown()).to.equal(`<p>${expected}</p>`);
      }
    });
  }

  it('is a node, which is not moved while it is the same', () => {
    const node = document.createElement('button');
    render(page(node), container);
    node.focus();
    render(page(node), container);
    expect(document.activeElement).to.equal(node);
    render(page(document.createElement('hr')), container);
    expect(shown()).to.equal('<p><hr></p>');
  });

  it('is removed together with nodes that others have added to it', () => {
    render(page(html`<b></b>`), container);
    find('b').before(document.createElement('i'));
    find('b').after(document.createElement('i'));
    render(page('text'), container);
    expect(shown()).to.equal('<p>text</p>');
  });

  it('changes with nested conditions', () => {
    const nested = (outer: boolean, inner: boolean) =>
      page(outer ? html`<b>${inner ? html`<i>inner</i>` : nothing}</b>` : 'else');
    const states: [boolean, boolean, string][] = [
      [true, true, '<b><i>inner</i></b>'],
      [true, false, '<b></b>'],
      [false, true, 'else'],
      [true, true, '<b><i>inner</i></b>'],
    ];
    for (const [outer, inner, expected] of states) {
      render(nested(outer, inner), container);
      expect(shown()).to.equal(`<p>${expected}</p>`);
    }
  });

  it('is never read as HTML', () => {
    const attack = '<img src="x" onerror="fail()">';
    render(html`<p title=${attack}>${attack}</p>`, container);
    expect(find('p').textContent).to.equal(attack);
    expect(find('p').title).to.equal(attack);
    expect(find('p').childElementCount).to.equal(0);
  });

  it('is no template if it only has the fields of one, as JSON may have', () => {
    const json = JSON.parse('{ "strings": ["<img>"], "values": [] }') as object;
    render(page(json), container);
    expect(find('img')).to.equal(null);
  });
});

describe('an array', () => {
  const list = (items: readonly (string | TemplateResult)[]) =>
    html`<ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>`;
  const texts = () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent);

  it('keeps the nodes of its items by their position', () => {
    render(list(['a', 'b', 'c']), container);
    const [first, second] = container.querySelectorAll('li');
    render(list(['b', 'a']), container);
    expect(texts()).to.deep.equal(['b', 'a']);
    expect([...container.querySelectorAll('li')]).to.deep.equal([first, second]);
    render(list(['b', 'a', 'd', 'e']), container);
    expect(texts()).to.deep.equal(['b', 'a', 'd', 'e']);
    render(list([]), container);
    expect(texts()).to.deep.equal([]);
  });

  it('leaves no nodes behind when it becomes shorter', () => {
    render(list([]), container);
    const { length } = find('ul').childNodes;
    render(list(['a', html`<b></b>`]), container);
    render(list([]), container);
    expect(find('ul').childNodes).to.have.length(length);
  });
});

describe('an attribute', () => {
  it('is a text, empty, or removed', () => {
    const page = (value: unknown) => html`<p title=${value}></p>`;
    for (const [value, expected] of [
      ['a', '<p title="a"></p>'],
      [5, '<p title="5"></p>'],
      [nothing, '<p></p>'],
      [undefined, '<p title=""></p>'],
      [nothing, '<p></p>'],
      [null, '<p title=""></p>'],
    ] as const) {
      render(page(value), container);
      expect(shown()).to.equal(expected);
    }
  });

  it('is there if a value is true', () => {
    const page = (value: unknown) => html`<p ?hidden=${value}></p>`;
    for (const value of [true, false, 'text', undefined, 1, nothing, 1, 0]) {
      render(page(value), container);
      expect(find('p').hidden).to.equal(value !== nothing && Boolean(value));
    }
  });

  it('is written only when its value has changed', () => {
    const page = (value: string) => html`<p title=${value}></p>`;
    render(page('a'), container);
    find('p').title = 'changed by the page';
    render(page('a'), container);
    expect(find('p').title).to.equal('changed by the page');
    render(page('b'), container);
    expect(find('p').title).to.equal('b');
  });
});

describe('a property', () => {
  it('is written only when its value has changed', () => {
    const page = (value: unknown) => html`<input .value=${value} />`;
    render(page('a'), container);
    const input = find<HTMLInputElement>('input');
    input.value = 'typed';
    render(page('a'), container);
    expect(input.value).to.equal('typed');
    render(page('b'), container);
    expect(input.value).to.equal('b');
  });

  it('is written at first also if it is undefined', () => {
    render(html`<p .title=${undefined}></p>`, container);
    expect(find('p').title).to.equal('undefined');
  });
});

describe('an event', () => {
  it('is handled by the latest function, or by none', () => {
    const log: string[] = [];
    const page = (listener: unknown) => html`<button @click=${listener}>Press</button>`;
    const click = () => find('button').click();
    render(page(undefined), container);
    click();
    render(
      page(({ type }: Event) => log.push(`first ${type}`)),
      container,
    );
    click();
    render(
      page(({ type }: Event) => log.push(`second ${type}`)),
      container,
    );
    click();
    render(page(undefined), container);
    click();
    render(page(nothing), container);
    click();
    expect(log).to.deep.equal(['first click', 'second click']);
  });
});
