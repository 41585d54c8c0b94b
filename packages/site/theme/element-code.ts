import type { Attribute } from './element-list.ts';

/** The frameworks in which the playground shows an element, each with the language of its code. */
export const FRAMEWORKS = { HTML: 'html', React: 'tsx', Vue: 'vue', Svelte: 'svelte' } as const;
export type Framework = keyof typeof FRAMEWORKS;

/** What the code shows. */
export interface ElementUse {
  tag: string;
  className: string;
  /** The attributes of the element, to find the type of a value. */
  attributes: readonly Attribute[];
  /** Values by attribute; an empty string is a boolean attribute that is set. */
  values: Readonly<Record<string, string>>;
  /** Custom properties by name. */
  styles: Readonly<Record<string, string>>;
  /** URL of the server (BFF). */
  server: string;
}

/** Returns the code of an element in the form that docs/adopting.md recommends for a framework. */
export const elementCode = (framework: Framework, use: ElementUse): string =>
  ({ HTML: html, React: react, Vue: vue, Svelte: svelte })[framework](use);

/** Elements that show data of an organization need a token that says who the viewer is. */
const needsViewer = ({ tag }: ElementUse) => !/^connect-(donate|goal)$/.test(tag);

const escape = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** A tag on one line, or with an attribute on each line if it would be too long. */
function tagOf(name: string, attributes: string[], children = '', isVoid = false): string {
  const start = [`<${name}`, ...attributes].join(' ');
  const end = isVoid ? ' />' : `>${children && `\n  ${children}\n`}</${name}>`;
  if (start.length + end.length <= 80) return start + end;
  return `<${name}\n  ${attributes.join('\n  ')}\n${isVoid ? '/>' : end}`;
}

const indent = (text: string, spaces: number) =>
  text.replace(/\n(?=.)/g, `\n${' '.repeat(spaces)}`);

/** A provider shows nothing itself. */
const childOf = ({ tag }: ElementUse) =>
  tag === 'connect-provider' ? '<connect-donations limit="10"></connect-donations>' : '';

const pairs = (values: ElementUse['values']) =>
  Object.entries(values).map(([name, value]) =>
    value === '' ? name : `${name}="${escape(value)}"`,
  );

function rule(selector: string, styles: ElementUse['styles']): string {
  const lines = Object.entries(styles).map(([name, value]) => `    ${name}: ${value};\n`);
  return lines.length > 0 ? `<style>\n  ${selector} {\n${lines.join('')}  }\n</style>\n` : '';
}

function html(use: ElementUse): string {
  const viewer = needsViewer(use) ? ['viewer-token="TOKEN_OF_YOUR_SERVER"'] : [];
  const tag = tagOf(use.tag, [...viewer, ...pairs(use.values)], childOf(use));
  const script = `<script type="module" src="${escape(use.server)}/connect.js"></script>\n`;
  return `${script}${rule(use.tag, use.styles)}\n${tag}\n`;
}

function react(use: ElementUse): string {
  const { className, values, styles, server } = use;
  const hasStyles = Object.keys(styles).length > 0;
  const viewer = needsViewer(use);
  const props = [
    `server=${JSON.stringify(server)}`,
    ...(viewer ? ['viewerToken={viewerToken}'] : []),
    ...Object.entries(values).map(([name, value]) => reactProp(use, name, value)),
    ...(hasStyles ? ['style={style}'] : []),
  ];
  const isProvider = use.tag === 'connect-provider';
  const child = isProvider ? '<ConnectDonations limit={10} />' : '';
  const tag = tagOf(className, props, child, !isProvider);
  const body = tag.includes('\n') ? `(\n    ${indent(tag, 4)}\n  )` : tag;
  const names = isProvider ? 'ConnectDonations, ConnectProvider' : className;
  const style = `\nconst style = ${JSON.stringify(styles, null, 2)} as CSSProperties;\n`;
  return [
    `import { ${names} } from '@connect-embed/react';\n`,
    hasStyles ? `import type { CSSProperties } from 'react';\n${style}` : '',
    `\nexport function Example(${viewer ? '{ viewerToken }: { viewerToken: string }' : ''}) {\n`,
    `  return ${body};\n}\n`,
  ].join('');
}

function reactProp({ attributes }: ElementUse, name: string, value: string): string {
  const { property = name, kind } = attributes.find((one) => one.name === name) ?? {};
  if (kind === 'boolean') return property;
  if (kind === 'number' && value.trim() !== '' && Number.isFinite(Number(value)))
    return `${property}={${Number(value)}}`;
  // A string with quotes is an expression, because JSX attributes have no escapes.
  return /["\\&]/.test(value) ? `${property}={${JSON.stringify(value)}}` : `${property}="${value}"`;
}

/** The imports of a single-file component: the element, and its types in the templates. */
const imports = ({ tag }: ElementUse, types: string) =>
  [
    `  import '@connect-embed/elements/define/${tag}.js';\n`,
    tag === 'connect-provider'
      ? `  import '@connect-embed/elements/define/connect-donations.js';\n`
      : '',
    `  import type {} from '@connect-embed/elements/types/${types}';\n`,
  ].join('');

function vue(use: ElementUse): string {
  const viewer = needsViewer(use);
  const attributes = [
    `server="${escape(use.server)}"`,
    ...(viewer ? [':viewer-token="viewerToken"'] : []),
    ...pairs(use.values),
  ];
  const isProvider = use.tag === 'connect-provider';
  const tag = tagOf(
    use.tag,
    attributes,
    isProvider ? '<connect-donations limit="10" />' : '',
    !isProvider,
  );
  const props = viewer ? '\ndefineProps<{ viewerToken: string }>();\n' : '';
  const script = `${imports(use, 'vue').replace(/^ {2}/gm, '')}${props}`;
  const style = rule(use.tag, use.styles);
  return `<script setup lang="ts">\n${script}</script>\n\n<template>\n  ${indent(tag, 2)}\n</template>\n${style && `\n${style}`}`;
}

function svelte(use: ElementUse): string {
  const viewer = needsViewer(use);
  const attributes = [
    `server="${escape(use.server)}"`,
    ...(viewer ? ['viewer-token={viewerToken}'] : []),
    ...Object.entries(use.values).map(([name, value]) =>
      value === '' ? name : `${name}="${escape(value).replaceAll('{', '&#123;')}"`,
    ),
  ];
  const props = viewer ? '\n  let { viewerToken }: { viewerToken: string } = $props();\n' : '';
  const style = rule(`:global(${use.tag})`, use.styles);
  const tag = tagOf(use.tag, attributes, childOf(use));
  return `<script lang="ts">\n${imports(use, 'svelte')}${props}</script>\n\n${tag}\n${style && `\n${style}`}`;
}
