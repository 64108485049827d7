/** Form fields: a label, the control, a line of help or of what is wrong. */
import type { ReactNode } from 'react';
import {
  CheckboxButton,
  CheckboxField,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';
import { Icon } from './Icons.tsx';
import styles from './Field.module.css';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The person is done with it for now. */
  readonly onBlur?: () => void;
  readonly type?: 'text' | 'date' | 'url';
  readonly help?: ReactNode;
  /** A sentence where the value cannot be used. */
  readonly problem?: string | undefined;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly isLong?: boolean;
}

export function Field({
  label,
  value,
  onChange,
  onBlur,
  type = 'text',
  help,
  problem,
  placeholder = '',
  autoFocus = false,
  isLong = false,
}: FieldProps) {
  return (
    <TextField
      value={value}
      onChange={onChange}
      {...(onBlur === undefined ? {} : { onBlur })}
      type={type}
      autoFocus={autoFocus}
      isInvalid={problem !== undefined}
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {isLong ? (
        <TextArea className={styles['input'] ?? ''} placeholder={placeholder} rows={3} />
      ) : (
        <Input className={styles['input'] ?? ''} placeholder={placeholder} spellCheck={false} autoComplete="off" />
      )}
      {help === undefined ? undefined : (
        <Text slot="description" className={styles['help'] ?? ''}>
          {help}
        </Text>
      )}
      <FieldError className={styles['problem'] ?? ''}>{problem}</FieldError>
    </TextField>
  );
}

export interface CheckboxProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

export function Checkbox({ children, isSelected, onChange }: CheckboxProps) {
  return (
    <CheckboxField isSelected={isSelected} onChange={onChange}>
      <CheckboxButton className={styles['check'] ?? ''}>
        <span className={styles['mark']}>{isSelected ? <Icon name="check" size={12} /> : undefined}</span>
        <span>{children}</span>
      </CheckboxButton>
    </CheckboxField>
  );
}
