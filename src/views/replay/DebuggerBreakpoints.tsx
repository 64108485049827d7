/** Breakpoints: by type, tool, agent or path, or any condition; each can be switched off and removed. */
import { useState } from 'react';
import { parseCondition } from '../../core/replay/debug/condition.ts';
import type { DebugStep, TraceId } from '../../data/index.ts';
import { addBreakpoint, removeBreakpoint, switchBreakpoint, useBreakpoints } from '../../state/breakpoints.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { Segments } from './Segments.tsx';
import styles from './Debugger.module.css';

const ways = [
  { id: 'type', label: 'Type' },
  { id: 'tool', label: 'Tool' },
  { id: 'agent', label: 'Agent' },
  { id: 'path', label: 'Path' },
  { id: 'condition', label: 'Condition' },
] as const;
type Way = (typeof ways)[number]['id'];

const examples: Readonly<Record<Way, string>> = {
  type: 'state.transitioned',
  tool: 'tickets.create',
  agent: 'planner',
  path: '/model:decide#0',
  condition: 'kind = write and args.amount > 100',
};

export function Breakpoints({ trace, step }: { readonly trace: TraceId; readonly step: DebugStep }) {
  const breakpoints = useBreakpoints(trace);
  const [way, setWay] = useState<Way>('tool');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (): void => {
    const condition = wayToCondition(way, text.trim());
    const parsed = parseCondition(condition);
    if (text.trim() === '') setProblem('Type what to stop at.');
    else if (parsed.ok) {
      addBreakpoint(trace, condition);
      setText('');
      setProblem(undefined);
    } else setProblem(`Character ${parsed.error.at + 1}: ${parsed.error.message}`);
  };
  const { delivered } = step;
  return (
    <section className={styles['breakpoints']} aria-label="Breakpoints">
      <h3>Breakpoints</h3>
      {breakpoints.length === 0 ? (
        <p className={styles['soft']}>None. Run to breakpoint stops at the next step that meets any that is on.</p>
      ) : (
        <ul className={styles['list']} aria-label="Breakpoints">
          {breakpoints.map(({ id, condition, isOn }) => (
            <li key={id} className={styles['breakpoint']}>
              <Checkbox isSelected={isOn} onChange={(on) => switchBreakpoint(trace, id, on)}>
                <code>{condition}</code>
              </Checkbox>
              <IconButton icon="trash" label={`Remove ${condition}`} onPress={() => removeBreakpoint(trace, id)} />
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles['form']}
        // What is wrong is said by the parser, and must not keep the next text from being added.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Segments label="By" items={ways} selected={way} onSelect={setWay} />
        <Field
          label={way === 'condition' ? 'Condition' : `${wayToLabel(way)} to stop at`}
          value={text}
          onChange={(typed) => {
            setText(typed);
            setProblem(undefined);
          }}
          problem={problem}
          placeholder={examples[way]}
          {...(way === 'condition'
            ? {
                help: 'field op value, joined by and, or. Fields: act, kind, type, name, tool, agent, path, event, status, args.…, value.…, error.…; ops: = != < <= > >= contains starts exists.',
              }
            : {})}
        />
        <div className={styles['actions']}>
          <Button type="submit">Add breakpoint</Button>
          {delivered === undefined ? undefined : (
            <Button kind="quiet" onPress={() => addBreakpoint(trace, wayToCondition('path', delivered.path))}>
              Break at this path
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

function wayToLabel(way: Way): string {
  return ways.find(({ id }) => id === way)?.label ?? way;
}

function wayToCondition(way: Way, text: string): string {
  return way === 'condition' ? text : `${way} = ${JSON.stringify(text)}`;
}
