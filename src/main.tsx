/**
 * Composition root of the page: creates the services and mounts the application.
 *
 * Nothing imports it. Whatever needs an instance receives it from here.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createServices } from './app/services.ts';
import { ensureExists } from './core/base/assert.ts';
import { DataProvider, createQueryClient } from './data/index.ts';
import './ui/tokens.css';
import './ui/base.css';
import './ui/families.css';

const container = ensureExists(document.getElementById('root') ?? undefined, 'the root element of index.html');
createRoot(container).render(
  <StrictMode>
    <DataProvider services={createServices()} client={createQueryClient()}>
      <App />
    </DataProvider>
  </StrictMode>,
);
