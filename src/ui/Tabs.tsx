/** Tabs over panels; each tab shows its key before its name and, where it helps, counts behind it. Only the selected panel is in the page. */
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import { keyToLabel, keyToShortcut } from './commands.ts';
import { Icon } from './Icons.tsx';
import styles from './Tabs.module.css';

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | undefined;
  /** What is counted, where the label does not say it. */
  readonly counted?: string | undefined;
  readonly tone?: 'danger' | undefined;
  /** A second count in neutral, of what is less grave. */
  readonly also?: { readonly count: number; readonly counted: string } | undefined;
  readonly shortcut?: string | undefined;
}

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly items: readonly TabItem<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** Narrower, for many tabs in a narrow pane. */
  readonly isDense?: boolean;
  /** Controls at the end of the row of tabs. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

export function Tabs<Id extends string>({
  label,
  items,
  selected,
  onSelect,
  isDense = false,
  end,
  children,
}: TabsProps<Id>) {
  return (
    <AriaTabs
      className={styles['tabs'] ?? ''}
      selectedKey={selected}
      onSelectionChange={(key) => {
        const item = items.find(({ id }) => id === key);
        if (item !== undefined && item.id !== selected) onSelect(item.id);
      }}
    >
      <div className={styles['bar']} data-dense={isDense}>
        <TabList aria-label={label} className={styles['list'] ?? ''}>
          {items.map(({ id, label: name, count, counted, tone, also, shortcut }) => (
            <Tab
              key={id}
              id={id}
              className={styles['tab'] ?? ''}
              {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': keyToShortcut(shortcut) })}
            >
              {/* Before the name, so that no key stands among the counts behind it. */}
              {shortcut === undefined ? undefined : (
                <kbd className={styles['key']} aria-hidden="true">
                  {keyToLabel(shortcut)}
                </kbd>
              )}
              {name}
              {count === undefined || count === 0 ? undefined : (
                <span className={styles['count']} data-tone={tone} title={counted}>
                  {tone === undefined ? undefined : <Icon name="warning" size={12} />}
                  {count}
                </span>
              )}
              {also === undefined || also.count === 0 ? undefined : (
                <span className={styles['count']} title={also.counted}>
                  <Icon name="info" size={12} />
                  {also.count}
                </span>
              )}
            </Tab>
          ))}
        </TabList>
        {end === undefined ? undefined : <div className={styles['end']}>{end}</div>}
      </div>
      <TabPanel key={selected} id={selected} className={styles['panel'] ?? ''}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}
