import { ConnectDonations, ConnectProvider } from '@connect-embed/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// Outside of the component: other functions are other cells, and every row is drawn anew.
const renderers = {
  amount: ({ amount_cents }: { amount_cents: number }) => `${amount_cents / 100} dollars`,
};

function Donations() {
  // Empty until it is there: no request is made before.
  const [token, setToken] = useState('');
  useEffect(() => void Promise.resolve('viewer').then(setToken), []);
  return (
    <ConnectProvider server="https://giving.example.org" viewerToken={token}>
      <ConnectDonations limit={10} renderers={renderers}>
        <template slot="cell:donor">
          <b>{'{{donor_name}}'}</b>
        </template>
      </ConnectDonations>
    </ConnectProvider>
  );
}

createRoot(document.querySelector('main')!).render(<Donations />);
