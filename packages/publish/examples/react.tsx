import { ConnectDonate } from '@connect-embed/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Give() {
  const [state, setState] = useState('Loading');
  return (
    <>
      <ConnectDonate
        server="https://giving.example.org"
        form="meals"
        onConnectReady={() => setState('Ready')}
        onConnectSuccess={({ paymentIntentId }) => setState(`Thank you: ${paymentIntentId}`)}
      />
      <p>{state}</p>
    </>
  );
}

createRoot(document.querySelector('main')!).render(<Give />);
