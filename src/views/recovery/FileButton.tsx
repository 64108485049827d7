/** A button that reads one chosen file as text; the file goes nowhere. */
import type { ChangeEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { notify } from '../../ui/notices.ts';
import styles from './Parts.module.css';

export interface FileButtonProps {
  readonly id: string;
  readonly label: string;
  /** As an input takes it: endings and types. */
  readonly accept?: string;
  readonly onText: (text: string, name: string) => void;
}

export function FileButton({ id, label, accept, onText }: FileButtonProps) {
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    const file = event.target.files?.[0];
    if (file !== undefined) readFile(file, (text) => onText(text, file.name));
    event.target.value = '';
  };
  return (
    <>
      <input
        id={id}
        type="file"
        accept={accept}
        tabIndex={-1}
        aria-label={label}
        className={styles['input']}
        onChange={onChange}
      />
      <Button icon="file" onPress={() => document.getElementById(id)?.click()}>
        {label}
      </Button>
    </>
  );
}

export function readFile(file: Blob, take: (text: string) => void): void {
  file.text().then(take, () => notify('The file could not be read.', { tone: 'problem' }));
}
