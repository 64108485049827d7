/** Files a person picks: a button over the browser's own choice. What was picked is handed on and forgotten. */
import { type ChangeEvent, useId } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './Sheet.module.css';

export interface FileChoiceProps {
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly accept?: string;
  readonly isMany?: boolean;
  readonly isDisabled?: boolean;
}

export function FileChoice({ label, onFiles, accept, isMany = false, isDisabled = false }: FileChoiceProps) {
  const id = useId();
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    if (files.length > 0) onFiles(files);
  };
  return (
    <>
      <input
        id={id}
        type="file"
        tabIndex={-1}
        aria-label={label}
        className={styles['hidden']}
        multiple={isMany}
        accept={accept}
        onChange={onChange}
      />
      <Button icon="file" isDisabled={isDisabled} onPress={() => document.getElementById(id)?.click()}>
        {label}
      </Button>
    </>
  );
}
