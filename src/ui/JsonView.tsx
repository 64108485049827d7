/**
 * A recorded value as a tree of inert text. Long texts and long lists are cut, the cut is counted and one press away.
 *
 * Invariant: nothing recorded is ever markup, an address or a style. Values come as data and leave as text nodes.
 */
import { type ReactNode, useState } from 'react';
import { type JsonObject, type JsonValue, isJsonArray, isHole, isJsonObject } from '../core/base/json.ts';
import { controlsToEscapes, lineToShown } from '../core/base/shown-text.ts';
import { Withheld } from './Chip.tsx';
import { countOf } from './format.ts';
import { Icon } from './Icons.tsx';
import styles from './JsonView.module.css';

const firstMembers = 50;
/** With each press; thousands of lines laid out at once stop the page. */
const mostMembersMore = 500;
const firstCharacters = 600;
/** With each press; a text of megabytes laid out at once stops the page for a minute. */
const moreCharacters = 20_000;

export interface JsonViewProps {
  readonly value: JsonValue;
  readonly label: string;
  /** How many levels are open at first. */
  readonly depth?: number;
}

export function JsonView({ value, label, depth = 3 }: JsonViewProps) {
  return (
    <div className={styles['tree']} role="group" aria-label={label}>
      <Node value={value} depth={depth} />
    </div>
  );
}

function Node({ name, value, depth }: { readonly name?: string; readonly value: JsonValue; readonly depth: number }) {
  if (isHole(value)) {
    return (
      <div className={styles['line']}>
        <Name name={name} />
        <Withheld />
      </div>
    );
  }
  if (isJsonArray(value))
    return <Branch name={name} members={value.map((member, at) => [String(at), member])} brackets="[]" depth={depth} />;
  if (isJsonObject(value)) return <Branch name={name} members={objectToMembers(value)} brackets="{}" depth={depth} />;
  return (
    <div className={styles['line']}>
      <Name name={name} />
      <Scalar value={value} />
    </div>
  );
}

function objectToMembers(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value);
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return undefined;
  return <span className={styles['name']}>{lineToShown(name)}</span>;
}

function Scalar({ value }: { readonly value: string | number | boolean | null }) {
  const [shown, setShown] = useState(firstCharacters);
  if (typeof value !== 'string') return <span className={styles['literal']}>{String(value)}</span>;
  const rest = value.length - shown;
  return (
    <span className={styles['text']}>
      {controlsToEscapes(value.slice(0, shown))}
      {rest > 0 ? (
        <button type="button" className={styles['more']} onClick={() => setShown(shown + moreCharacters)}>
          … {rest.toLocaleString('en')} more characters
        </button>
      ) : undefined}
    </span>
  );
}

interface BranchProps {
  readonly name: string | undefined;
  readonly members: readonly (readonly [string, JsonValue])[];
  readonly brackets: '{}' | '[]';
  readonly depth: number;
}

function Branch({ name, members, brackets, depth }: BranchProps) {
  const [isOpen, setOpen] = useState(depth > 0);
  const [shown, setShown] = useState(firstMembers);
  if (members.length === 0) {
    return (
      <div className={styles['line']}>
        <Name name={name} />
        <span className={styles['literal']}>{brackets}</span>
      </div>
    );
  }
  const count = countOf(members.length, brackets === '[]' ? 'item' : 'field');
  const rest = members.length - shown;
  return (
    <div>
      {name === undefined ? undefined : (
        <button type="button" className={styles['fold']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
          <span className={styles['name']}>{lineToShown(name)}</span>
          <span className={styles['count']}>{count}</span>
        </button>
      )}
      {!isOpen && name !== undefined ? undefined : (
        <div className={name === undefined ? styles['root'] : styles['members']}>
          {members.slice(0, shown).map(([key, member]): ReactNode => (
            <Node key={key} name={key} value={member} depth={depth - 1} />
          ))}
          {rest > 0 ? (
            <button
              type="button"
              className={styles['more']}
              onClick={() => setShown(shown + Math.min(shown * 3, mostMembersMore))}
            >
              {rest.toLocaleString('en')} more
            </button>
          ) : undefined}
        </div>
      )}
    </div>
  );
}
