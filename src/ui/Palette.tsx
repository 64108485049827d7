/** Every command by name, with its key: one box, one list. Opened by Ctrl K or Cmd K anywhere. */
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { Kbd } from './Button.tsx';
import { type Command, useAllCommands } from './commands.ts';
import { Icon } from './Icons.tsx';
import styles from './Palette.module.css';

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function Palette({ isOpen, onClose }: PaletteProps) {
  const commands = useAllCommands().filter(({ inPalette }) => inPalette !== false);
  const { contains } = useFilter({ sensitivity: 'base' });
  const run = (command: Command): void => {
    onClose();
    if (command.unavailable === undefined) command.run();
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className={styles['overlay'] ?? ''}
    >
      <Modal className={styles['modal'] ?? ''}>
        <Dialog aria-label="Commands" className={styles['dialog'] ?? ''}>
          <Autocomplete filter={contains}>
            <SearchField aria-label="Find a command" autoFocus className={styles['field'] ?? ''}>
              <Icon name="search" />
              <Input placeholder="What do you want to do?" className={styles['input'] ?? ''} />
              <Kbd>Escape</Kbd>
            </SearchField>
            <Menu
              aria-label="Commands"
              className={styles['list'] ?? ''}
              renderEmptyState={() => <p className={styles['empty']}>No command has this name.</p>}
            >
              {commands.map((command) => (
                <MenuItem
                  key={command.id}
                  id={command.id}
                  textValue={`${command.name} ${command.group}`}
                  isDisabled={command.unavailable !== undefined}
                  onAction={() => run(command)}
                  className={styles['item'] ?? ''}
                >
                  <span className={styles['name']}>{command.name}</span>
                  <span className={styles['group']}>{command.unavailable ?? command.group}</span>
                  {command.keys?.[0] === undefined ? undefined : <Kbd>{command.keys[0]}</Kbd>}
                </MenuItem>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
