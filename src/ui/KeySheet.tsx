/** All keys of what is on screen, by group, and the switch for single letters. */
import { SwitchButton, SwitchField } from 'react-aria-components';
import { Kbd } from './Button.tsx';
import { type Command, findCommand, keyToShortcut, useAllCommands } from './commands.ts';
import { Dialog } from './Dialog.tsx';
import { groupBy } from './group.ts';
import styles from './KeySheet.module.css';

export interface KeySheetProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly letterKeys: boolean;
  readonly onLetterKeys: (on: boolean) => void;
}

export function KeySheet({ isOpen, onClose, letterKeys, onLetterKeys }: KeySheetProps) {
  // A key stands where it acts: of two commands with one key the newer one has it.
  const commands = useAllCommands().filter(({ id, keys }) => keys?.some((key) => findCommand(key)?.id === id) === true);
  const groups = groupBy(commands, ({ group }) => group);
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} size="large">
      <div className={styles['groups']}>
        {[...groups].map(([group, members]) => (
          <Group key={group} title={group} commands={members} />
        ))}
      </div>
      <SwitchField isSelected={letterKeys} onChange={onLetterKeys}>
        <SwitchButton className={styles['switch'] ?? ''}>
          <span className={styles['track']} />
          <span>
            Single-letter keys
            <small>They act only outside text fields. Keys with Ctrl or Cmd always work.</small>
          </span>
        </SwitchButton>
      </SwitchField>
    </Dialog>
  );
}

function Group({ title, commands }: { readonly title: string; readonly commands: readonly Command[] }) {
  return (
    <section className={styles['group']}>
      <h3>{title}</h3>
      <dl>
        {commands.map(({ id, name, keys = [] }) => (
          <div key={id} className={styles['row']}>
            <dt>{name}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
              <span className={styles['spoken']}>{keys.map(keyToShortcut).join(' or ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
