import type { CellRenderer, Donation } from '@connect-embed/elements';
import { ConnectDonations, ConnectProvider } from '@connect-embed/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// Outside of the component: new functions on every render would redraw all rows.
const renderers: Record<string, CellRenderer<Donation>> = {
  amount: ({ amount_cents }) => `${amount_cents / 100} dollars`,
};

function Donations() {
  // Empty until the token is loaded: no request is sent before.
  const [token, setToken] = useState('');
  useEffect(() => {
    void fetch('/viewer-token').then(async (response) => setToken(await response.text()));
  }, []);
  return (
    <ConnectProvider server="https://giving.example.org" viewerToken={token}>
      <ConnectDonations limit="10" renderers={renderers}>
        <template slot="cell-donor">
          <b>{'{{donor_name}}'}</b>
        </template>
      </ConnectDonations>
    </ConnectProvider>
  );
}

createRoot(document.querySelector('main')!).render(<Donations />);
