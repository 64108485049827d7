/** One event, gap or dispatch where an overseer could step in, of the graph. A button: press to select; its rim says what lies beyond. */
import { useId, useRef } from 'react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { lineToShown, nameToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import type { ConeNode } from '../../core/projections/trace-reader.ts';
import { agentToText } from '../../core/projections/title-words.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { stepInWord } from '../../ui/legend-marks.ts';
import { MarkSign } from './MarkBadge.tsx';
import type { Mark } from './overlay.ts';
import { Reveal, revealing } from './Reveal.tsx';
import { titleToRead } from './title.ts';
import styles from './Graph.module.css';

export interface EventNodeData extends Record<string, unknown> {
  readonly node: ConeNode;
  readonly isSelected: boolean;
  readonly isFocus: boolean;
  readonly isExpanded: boolean;
  /** Where there are no lanes, the node says whose it is. */
  readonly showsAgent: boolean;
  readonly mark: Mark | undefined;
  /** The path of reasons in words, where the mark has one. */
  readonly why: string | undefined;
  readonly onSelect: (event: EventId) => void;
  readonly onExpand: (event: EventId) => void;
}

export function EventNode({ data }: NodeProps<Node<EventNodeData>>) {
  const { node, isSelected, isFocus, isExpanded, showsAgent, mark, why, onSelect, onExpand } = data;
  const { name, value } = titleToRead(titleWithoutAgent(node));
  const { event, hiddenCauses, hiddenEffects, findings } = node;
  // Not made of the event's id, which may hold blanks.
  const whyId = useId();
  const face = useRef<HTMLButtonElement>(null);
  // The button that was pressed may go with what it stood for: the focus stays with the node.
  const expand = (): void => {
    face.current?.focus();
    if (event !== undefined) onExpand(event);
  };
  return (
    <div
      className={`${styles['node'] ?? ''} ${why === undefined ? '' : revealing}`}
      data-family={node.effect ? 'effect' : node.failed ? 'fault' : node.family}
      data-kind={node.kind}
      data-effect={node.effect}
      data-selected={isSelected}
      data-focus={isFocus}
      data-look={mark?.look}
    >
      <Handle type="target" position={Position.Top} isConnectable={false} className={styles['handle'] ?? ''} />
      <button
        ref={face}
        type="button"
        className={styles['face']}
        disabled={event === undefined}
        aria-label={mark === undefined ? nodeToName(node) : `${nodeToName(node)}, ${mark.word}`}
        {...(why === undefined ? {} : { 'aria-describedby': whyId })}
        aria-current={isSelected}
        onClick={() => event !== undefined && onSelect(event)}
      >
        {node.kind === 'gap' ? (
          <span className={styles['sign']}>?</span>
        ) : (
          <FamilyIcon family={node.family} effect={node.effect} failed={node.failed} />
        )}
        <span className={styles['words']}>
          <span className={styles['title']} title={node.title}>
            {name}
            {value === undefined ? undefined : <span className={styles['valued']}> {value}</span>}
          </span>
          <span className={styles['foot']}>
            {showsAgent && node.kind === 'event' && node.agent !== undefined ? (
              <span className={styles['who']}>{node.agentName ?? agentToText(node.agent)}</span>
            ) : (
              <span className={styles['type']}>{nodeToKind(node)}</span>
            )}
            {mark === undefined ? undefined : <MarkSign mark={mark} />}
            {findings > 0 ? (
              <span className={styles['findings']}>
                <Icon name="warning" size={12} />
                {findings}
              </span>
            ) : undefined}
          </span>
        </span>
      </button>
      {why === undefined ? undefined : <Reveal id={whyId} text={why} />}
      {event === undefined ? undefined : (
        <>
          <Rim side="causes" hidden={hiddenCauses} isExpanded={isExpanded} node={node} onPress={expand} />
          <Rim side="effects" hidden={hiddenEffects} isExpanded={false} node={node} onPress={expand} />
        </>
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={styles['handle'] ?? ''} />
    </div>
  );
}

interface RimProps {
  readonly side: 'causes' | 'effects';
  readonly hidden: number;
  readonly isExpanded: boolean;
  readonly node: ConeNode;
  readonly onPress: () => void;
}

/** What lies beyond the picture on one side, and the way there. */
function Rim({ side, hidden, isExpanded, node, onPress }: RimProps) {
  if (hidden === 0 && !isExpanded) return undefined;
  const more = countOf(hidden, side === 'causes' ? 'more cause' : 'more effect');
  return (
    <button
      type="button"
      className={styles['rim']}
      data-side={side}
      aria-label={isExpanded && hidden === 0 ? `Fold the neighbours of ${node.title}` : `Show ${more} of ${node.title}`}
      onClick={onPress}
    >
      {hidden === 0 ? '−' : `${side === 'causes' ? '↑' : '↓'} ${hidden}`}
    </button>
  );
}

/** Who acted stands on the line below, or over the lane; the name of a model would leave no room for what it said. */
function titleWithoutAgent({ kind, type, title, agent, agentName }: ConeNode): string {
  const who = kind === 'gap' || agent === undefined ? undefined : (agentName ?? agentToText(agent));
  const said = who !== undefined && title.startsWith(`${who} `) ? title.slice(who.length + 1) : title;
  return type.startsWith('model_call.') ? said.replace(/^\S+ (?=answered: )/, '') : said;
}

function nodeToKind({ kind, type }: ConeNode): string {
  if (kind === 'event') return lineToShown(type);
  return kind === 'gap' ? 'not recorded' : stepInWord;
}

export function nodeToName(node: ConeNode): string {
  const kind = node.kind === 'event' ? lineToShown(node.type) : node.kind === 'gap' ? 'gap, not recorded' : stepInWord;
  const parts = [
    node.title,
    kind,
    node.agent === undefined ? undefined : nameToShown(node.agent),
    node.effect ? 'left the system' : node.mayEffect === true ? 'may have left the system' : undefined,
    node.failed ? 'failed' : undefined,
    node.findings > 0 ? countOf(node.findings, 'finding') : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
