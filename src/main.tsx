/**
 * Composition root of the page: creates the services and mounts the application.
 *
 * Nothing imports it. Whatever needs an instance receives it from here.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { UpdateOffer } from './app/UpdateOffer.tsx';
import { ensureExists } from './core/base/assert.ts';

const container = ensureExists(document.getElementById('root') ?? undefined, 'the root element of index.html');
createRoot(container).render(
  <StrictMode>
    <main>
      <h1>Hindcast</h1>
    </main>
    <UpdateOffer />
  </StrictMode>,
);
