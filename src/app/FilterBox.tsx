/**
 * The filter: one box with completion over the words of this trace, and a sentence where it cannot be understood.
 *
 * Invariant: the filter in use is the one in the address. The text here runs ahead of it by a moment of typing; a text
 * that cannot be parsed is shown as such and never becomes the filter, one that is half typed does so when it is whole, or by Enter.
 */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { parseFilter } from '../core/projections/filter.ts';
import type { TraceSummary } from '../core/projections/trace-reader.ts';
import { toggleSavedFilter, usePreferences } from '../state/preferences.ts';
import { IconButton, Kbd } from '../ui/Button.tsx';
import { firstMatchCommand, runCommand, useCommands } from '../ui/commands.ts';
import { Icon } from '../ui/Icons.tsx';
import { type Completion, type FilterDraft, completeFilter, draftToText, isHalfTyped } from './filter-completion.ts';
import styles from './FilterBox.module.css';

const settle = 180;

export interface FilterBoxProps {
  readonly filter: string;
  readonly summary: TraceSummary | undefined;
  readonly onFilter: (filter: string) => void;
}

export function FilterBox({ filter, summary, onFilter }: FilterBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What was typed is applied to where one is by then, and nowhere when one has left.
  const latest = useRef(onFilter);
  useEffect(() => {
    latest.current = onFilter;
  }, [onFilter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const id = useId();
  const [draft, setDraft] = useState<FilterDraft>();
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const text = draftToText(draft, filter);
  const parsed = parseFilter(text);
  const saved = usePreferences(({ savedFilters }) => savedFilters);
  const completions = completeFilter(text, caret, summary, saved);
  const options = isOpen ? completions.options : [];
  useCommands(
    'filter',
    useMemo(
      () => [
        { id: 'trace.filter', name: 'Filter events', group: 'Trace', keys: ['/'], run: () => input.current?.focus() },
      ],
      [],
    ),
  );

  const apply = (next: string): void => {
    clearTimeout(timer.current);
    if (!parseFilter(next).ok || next.trim() === filter) return;
    latest.current(next.trim());
    // From here on it stands over what came of it: when the filter is cleared elsewhere, the box is empty too.
    setDraft((now) => (now?.text === next ? { text: next, over: next.trim() } : now));
  };
  const type = (next: string, at: number): void => {
    setDraft({ text: next, over: filter });
    setCaret(at);
    setChosen(-1);
    setOpen(true);
    clearTimeout(timer.current);
    // Half a word would hide everything until it is whole; the filter in use stays till then.
    if (isHalfTyped(next, at, summary)) return;
    timer.current = setTimeout(() => {
      apply(next);
    }, settle);
  };
  const take = ({ insert }: Completion): void => {
    const next = text.slice(0, completions.from) + insert + text.slice(completions.to);
    type(next, completions.from + insert.length);
    input.current?.focus();
  };
  const clear = (): void => {
    setDraft(undefined);
    setOpen(false);
    clearTimeout(timer.current);
    if (filter !== '') onFilter('');
    // The button that was pressed goes with the filter.
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = options[chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const count = completions.options.length;
      if (count > 0) setChosen((chosen + (event.key === 'ArrowDown' ? 1 : chosen < 0 ? 0 : -1) + count) % count);
    } else if (event.key === 'Enter' || (event.key === 'Tab' && option !== undefined)) {
      event.preventDefault();
      if (option !== undefined) take(option);
      else {
        apply(text);
        setOpen(false);
        // What passes the filter is where one goes on: a filter that cannot be understood keeps the hands here.
        if (parsed.ok && text.trim() !== '') runCommand(firstMatchCommand);
      }
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (options.length > 0) setOpen(false);
      else if (text !== '') clear();
      else input.current?.blur();
    }
  };
  return (
    <div className={styles['box']} data-invalid={!parsed.ok} data-active={filter !== ''}>
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Filter events"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-invalid={!parsed.ok}
        aria-describedby={parsed.ok ? undefined : `${id}-problem`}
        aria-activedescendant={options[chosen] === undefined ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Filter by type, agent, tool, status, text"
        value={text}
        onChange={(event) => type(event.target.value, event.target.selectionStart ?? event.target.value.length)}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          apply(text);
        }}
        onKeyDown={onKeyDown}
      />
      {filter === '' || text !== filter ? undefined : (
        <IconButton
          icon={saved.includes(filter) ? 'check' : 'plus'}
          label={saved.includes(filter) ? 'Forget this filter' : 'Keep this filter'}
          onPress={() => toggleSavedFilter(filter)}
        />
      )}
      {text === '' ? <Kbd>/</Kbd> : <IconButton icon="close" label="Clear the filter" onPress={clear} />}
      {parsed.ok ? undefined : (
        <p id={`${id}-problem`} className={styles['problem']} role="alert">
          {parsed.error.message}
        </p>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Completions"
        className={styles['list']}
        hidden={options.length === 0 || !parsed.ok}
      >
        {options.map((option, at) => (
          // The box keeps the focus; keys choose from there, a pointer presses here.
          <div
            key={option.insert}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === chosen}
            tabIndex={-1}
            className={styles['option']}
            onPointerDown={(event) => {
              event.preventDefault();
              take(option);
            }}
          >
            <span className={styles['label']}>{option.label}</span>
            <span className={styles['detail']}>{option.detail}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
