import { ConnectDonations, ConnectProvider } from '@connect-embed/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// Outside of the component: new functions on every render would redraw all rows.
const renderers = {
  amount: ({ amount_cents }: { amount_cents: number }) => `${amount_cents / 100} dollars`,
};

function Donations() {
  // Empty until the token is loaded: no request is sent before.
  const [token, setToken] = useState('');
  useEffect(() => void Promise.resolve('viewer').then(setToken), []);
  return (
    <ConnectProvider server="https://giving.example.org" viewerToken={token}>
      <ConnectDonations limit={10} renderers={renderers}>
        <template slot="cell-donor">
          <b>{'{{donor_name}}'}</b>
        </template>
      </ConnectDonations>
    </ConnectProvider>
  );
}

createRoot(document.querySelector('main')!).render(<Donations />);
