import { ConnectDonations, ConnectProvider } from '@connect-embed/react';
import { createRoot } from 'react-dom/client';
import { fetchSession } from './fetch-session';

createRoot(document.querySelector('main')!).render(
  <ConnectProvider fetchSession={fetchSession}>
    <ConnectDonations />
  </ConnectProvider>,
);
