import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  const [changes, setChanges] = useState(0);
  const [thanked, setThanked] = useState(0);
  return h(
    'main',
    { className: `changed-${changes}` },
    h('p', { id: 'changes' }, changes),
    h('p', { id: 'thanked' }, thanked),
    h('connect-donate', {
      form: 'default',
      class: `changed-${changes}`,
      'onconnect-change': () => setChanges((count) => count + 1),
      'onconnect-success': () => setThanked((count) => count + 1),
    }),
  );
}

createRoot(document.getElementById('app')).render(h(App));
