import { ConnectDonate } from '@connect-embed/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

const link = createElement('a', { href: 'mailto:give@example.org' }, 'Write to us to give');
const form = createElement(ConnectDonate, { form: 'meals' }, link);
console.log(renderToString(form));
