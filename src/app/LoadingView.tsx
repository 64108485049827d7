/** Stands where a view will be whose code is on its way, and tells the keyboard that it is. */
import { useEffect } from 'react';
import { Waiting } from '../ui/Progress.tsx';
import { beginLoading } from './loading-views.ts';

export function LoadingView({ label }: { readonly label: string }) {
  // Syncs with the keyboard, which keeps what is pressed until the view is there.
  useEffect(() => beginLoading(), []);
  return <Waiting label={label} />;
}
