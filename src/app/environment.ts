/**
 * Where the page runs, and what that place takes away from it.
 *
 * A page from `file://` never gets here, because browsers do not load its modules; index.html explains that by itself.
 */

export interface Environment {
  readonly isSecureContext: boolean;
  readonly hasDatabase: boolean;
}

export interface Limitation {
  readonly id: 'insecure' | 'no-database';
  readonly text: string;
}

export function readEnvironment(): Environment {
  return { isSecureContext: window.isSecureContext, hasDatabase: 'indexedDB' in window };
}

export function environmentToLimitations({ isSecureContext, hasDatabase }: Environment): readonly Limitation[] {
  const limitations: Limitation[] = [];
  if (!isSecureContext) {
    limitations.push({
      id: 'insecure',
      text: 'This address is not a secure context, so the browser withholds encryption: no share can be made or opened, and nothing can be copied to the clipboard. Open the page over https, or at http://localhost.',
    });
  }
  if (!hasDatabase) {
    limitations.push({
      id: 'no-database',
      text: 'This browser gives the page no database, so no trace can be kept. A private window or a policy may be the reason.',
    });
  }
  return limitations;
}
