import '@connect-embed/elements/define/connect-donate.js';
import type {} from '@connect-embed/elements/types/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Give() {
  const [state, setState] = useState('Loading');
  return (
    <>
      <connect-donate
        server="https://giving.example.org"
        form="meals"
        onconnect-ready={() => setState('Ready')}
      />
      <p>{state}</p>
    </>
  );
}

createRoot(document.querySelector('main')!).render(<Give />);
