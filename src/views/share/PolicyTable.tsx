/** The policy as a table: one row a class of values, what it covers, what happens to it, and what that means in this copy. */
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import {
  type Action,
  type ClassCount,
  type RedactionPolicy,
  type TimeAction,
  type ValueClass,
  actionsOf,
  closedPolicy,
  valueClasses,
} from '../../core/redaction/index.ts';
import { Button } from '../../ui/Button.tsx';
import { countToText } from '../../ui/format.ts';
import { policyToSummary } from './policy-words.ts';
import styles from './PolicyTable.module.css';

export interface PolicyTableProps {
  readonly policy: RedactionPolicy;
  readonly onPolicy: (policy: RedactionPolicy) => void;
  readonly leaves: readonly ClassCount[];
}

const actionWords: Readonly<Record<Action, string>> = { keep: 'Keep', pseudonym: 'Pseudonym', withhold: 'Withhold' };
const timeWords: Readonly<Record<TimeAction, string>> = { keep: 'Keep', shift: 'From zero', withhold: 'Withhold' };

export function PolicyTable({ policy, onPolicy, leaves }: PolicyTableProps) {
  function setClass(id: ValueClass, action: Action): void {
    onPolicy({ ...policy, name: 'chosen in the panel', classes: { ...policy.classes, [id]: action } });
  }
  return (
    <section className={styles['policy']} aria-label="Redaction">
      <header>
        <h2>Redaction</h2>
        <span>{policyToSummary(policy)}</span>
        <Button kind="quiet" onPress={() => onPolicy(closedPolicy)} isDisabled={policy === closedPolicy}>
          Close everything
        </Button>
      </header>
      <ul>
        {valueClasses.map(({ id, label, covers }) => (
          <li key={id} data-open={policy.classes[id] === 'keep'}>
            <div>
              <strong>{label}</strong>
              <small>{covers}</small>
            </div>
            <span className={styles['count']}>{countOfClass(leaves.find((leave) => leave.class === id))}</span>
            <Choice
              label={label}
              value={policy.classes[id]}
              options={[...actionsOf(id)].reverse()}
              words={actionWords}
              onChoose={(action) => setClass(id, action)}
            />
          </li>
        ))}
        <li data-open={policy.times === 'keep'}>
          <div>
            <strong>Times</strong>
            <small>as recorded, counted from zero on each clock, or none</small>
          </div>
          <span />
          <Choice
            label="Times"
            value={policy.times}
            options={['withhold', 'shift', 'keep']}
            words={timeWords}
            onChoose={(times) => onPolicy({ ...policy, name: 'chosen in the panel', times })}
          />
        </li>
      </ul>
    </section>
  );
}

function countOfClass(leave: ClassCount | undefined): string {
  if (leave === undefined) return '';
  const parts = [
    leave.kept > 0 ? `${countToText(leave.kept)} kept` : '',
    leave.pseudonyms > 0 ? `${countToText(leave.pseudonyms)} replaced` : '',
    leave.withheld > 0 ? `${countToText(leave.withheld)} withheld` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, words, onChoose }: ChoiceProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={`${label}: what happens`}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find((option) => keys.has(option));
        if (chosen !== undefined) onChoose(chosen);
      }}
      className={styles['choice'] ?? ''}
    >
      {options.map((option) => (
        <ToggleButton key={option} id={option} className={styles['option'] ?? ''}>
          {words[option]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
