// Page: what the browser loads. It draws the view of the address, once there is a token; nothing imports it.

import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { followStore } from './lib/live.ts';
import { base, openSession, session } from './lib/session.ts';
import { Shell } from './shell.tsx';
import { Gate } from './views/gate.tsx';

function Page(): JSX.Element {
  if (session.value !== 'open') return <Gate />;
  return (
    <LocationProvider scope={`${base}/`}>
      <Shell />
    </LocationProvider>
  );
}

const page = document.querySelector('#page');
if (page !== null) render(<Page />, page);

let isFollowing = false;
effect(() => {
  if (session.value !== 'open' || isFollowing) return;
  isFollowing = true;
  followStore();
});
openSession();
