/**
 * What a person set for this library. Each setting has a default, so that an older library opens as it is.
 */
import { nameToShown } from '../../core/base/shown-text.ts';
import { attemptOrThrow } from './failures.ts';
import type { Settings } from './records.ts';
import type { LibraryDatabase } from './schema.ts';

/** Who an act is logged under before the person gave a name. */
export const unnamedPerson = 'not named';

const personKey = 'person';

export async function readSettings(db: LibraryDatabase): Promise<Settings> {
  const person = (await db.settings.get(personKey))?.value;
  return { person: typeof person === 'string' ? nameToShown(person) : '' };
}

export async function saveSettings(db: LibraryDatabase, { person }: Settings): Promise<void> {
  await attemptOrThrow(() => db.settings.put({ key: personKey, value: nameToShown(person) }));
}

/** The name for the access log. */
export async function readPerson(db: LibraryDatabase): Promise<string> {
  const { person } = await readSettings(db);
  return person === '' ? unnamedPerson : person;
}
