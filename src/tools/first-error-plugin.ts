/**
 * Prints why a build failed.
 *
 * The step that writes the service worker runs also after a failed build, fails for want of files, and its error would
 * be the only one shown.
 */
import type { Plugin } from 'vite';

export function firstErrorPlugin(): Plugin {
  return {
    name: 'hindcast-first-error',
    apply: 'build',
    buildEnd(error) {
      if (error !== undefined) console.error(error.message);
    },
  };
}
