/**
 * What the edit would make fall, by declared edges alone: at once, without running any code (I6).
 *
 * Without a change it is the list of steps one may edit.
 */
import { useMemo, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import type { PreviewItem, PreviewStatus } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { type BranchStatus, StatusSign } from '../../ui/Chip.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { type FallTag, fallTags, fallenToSentence, fallsInside, itemToTag } from '../../ui/fall-words.ts';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { Explained } from '../../ui/Term.tsx';
import { EventRef, ReasonPath } from './Links.tsx';
import { More } from '../../ui/More.tsx';
import { runToName } from './RunChoice.tsx';
import type { ReplaySession } from './session.ts';
import { Strip, type StripEntry } from './Strip.tsx';
import { previewMeanings, previewWords } from './words.ts';
import { isCommandPathOf, kindToFamily } from './kinds.ts';
import styles from './Preview.module.css';

const signs: Readonly<Record<FallTag, BranchStatus>> = {
  edited: 'superseded',
  falls: 'removed',
  'may-fall': 'suspect',
  unknown: 'unknown',
  inside: 'changed',
  stands: 'reused',
};
const looks: Readonly<Record<FallTag, StripEntry['look']>> = {
  edited: 'edited',
  falls: 'fallen',
  'may-fall': 'maybe',
  unknown: 'maybe',
  inside: 'new',
  stands: 'kept',
};
const words: Readonly<Record<FallTag, string>> = { ...previewWords, inside: fallsInside.word };
const meanings: Readonly<Record<FallTag, string>> = { ...previewMeanings, inside: fallsInside.meaning };

export interface PreviewProps {
  readonly session: ReplaySession;
  readonly current: string | undefined;
  readonly onEdit: (event: PreviewItem['event']) => void;
  /** The worker dies at this effect, in a simulation. */
  readonly onKill: (path: string) => void;
}

export function Preview({ session, current, onEdit, onKill }: PreviewProps) {
  const { preview, titles, reading, facts } = session;
  const [shown, setShown] = useState<FallTag>();
  const items = useMemo(() => preview.data?.items ?? [], [preview.data]);
  const hasEdit = items.some(({ status }) => status !== 'stands');
  // One tag an item: the chips below count the tags that the rows bear, and add up to all of them.
  const tags = useMemo(() => {
    const holding = new Set<string>(preview.data?.holding.map(({ event }) => event));
    return items.map((item) => itemToTag(item, holding));
  }, [items, preview.data]);
  const tallies = useMemo(() => {
    const counts = new Map<FallTag, number>();
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return counts;
  }, [tags]);
  const entries = useMemo(
    () => items.map((item, n) => itemToEntry(item, n, titles, hasEdit, tags[n] ?? item.status)),
    [items, titles, hasEdit, tags],
  );
  if (!preview.isAsked) {
    return (
      <Message title="The preview waits for a value" icon="pencil">
        {[...reading.problems.values()].slice(0, 3).map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </Message>
    );
  }
  if (preview.problem !== undefined) {
    return (
      <Message title="This edit cannot be made" tone="problem" icon="warning">
        {preview.problem}
      </Message>
    );
  }
  if (preview.data === undefined) return <Waiting label="Following the edges" lines={8} />;
  const { counts, insufficient } = preview.data;
  const noun = items.some(isCommandPathOf) ? 'command' : 'event';
  const sentence = `By declared edges, ${fallenToSentence(preview.data)}.`;
  const visible = items.flatMap((item, n) => (shown === undefined || tags[n] === shown ? [{ item, n }] : []));
  return (
    <section className={styles['preview']} aria-label="Preview">
      <header className={styles['head']}>
        <h2>
          {hasEdit ? (
            <Explained text={sentence} />
          ) : (
            neutralSentence(runToName(session), countOf(items.length, noun), reading.changes)
          )}
        </h2>
        {hasEdit ? (
          <ul className={styles['counts']} aria-label="Show by status">
            {fallTags.map((tag) =>
              tallies.get(tag) === undefined ? undefined : (
                <li key={tag}>
                  <button
                    type="button"
                    aria-pressed={shown === tag}
                    title={meanings[tag]}
                    onClick={() => setShown(shown === tag ? undefined : tag)}
                  >
                    <PreviewBadge tag={tag} /> <b>{countToText(tallies.get(tag) ?? 0)}</b>
                  </button>
                </li>
              ),
            )}
          </ul>
        ) : undefined}
        {facts.problem === null ? undefined : (
          <p className={styles['warning']}>
            <Icon name="warning" size={14} />
            <Awaited of={{ error: facts.problem }} label="Reading the program" isInline />
          </p>
        )}
        {facts.isLoading || facts.problem !== null || session.hasProgram ? undefined : (
          <p className={styles['note']}>
            This trace carries no control program: what falls with an edit is told from what the records say they used.
            A replay needs its program
            {facts.missing.length === 0 ? '' : `: not recorded is ${facts.missing.join(', ')}`}. You may bring it under
            “Program”.
          </p>
        )}
        {insufficient ? (
          <p className={styles['warning']}>
            <Icon name="warning" size={14} /> The records after the edit do not all say what they used, so the trace
            cannot tell what becomes of {countOf(counts.unknown, 'of them', 'of them')}. Unknown is not kept.
          </p>
        ) : undefined}
      </header>
      <Strip
        label={hasEdit ? sentence : `${countOf(items.length, noun)} of the run`}
        entries={entries}
        current={entries.find((entry) => entry.events.includes(current ?? ''))?.key}
      />
      <More key={shown} items={visible} noun={noun}>
        {(part) => (
          <ol className={styles['list']} aria-label={hasEdit ? 'What falls and what stands' : 'Steps of the run'}>
            {part.map(({ item, n }) => (
              <Row
                key={n}
                item={item}
                entry={entries[n]}
                hasEdit={hasEdit}
                tag={tags[n] ?? item.status}
                isHere={item.event === current}
                onEdit={onEdit}
                onKill={session.hasProgram ? onKill : undefined}
              />
            ))}
          </ol>
        )}
      </More>
    </section>
  );
}

function itemToEntry(
  item: PreviewItem,
  n: number,
  titles: ReplaySession['titles'],
  hasEdit: boolean,
  tag: FallTag,
): StripEntry {
  const row = titles.get(item.event);
  return {
    key: String(n),
    path: item.path,
    agent: row?.agent,
    events: [item.event],
    stands: item.status === 'stands',
    reasons: item.reasons,
    family: isCommandPathOf(item) ? kindToFamily(item.kind) : (row?.family ?? 'unknown'),
    label: item.name,
    sign: hasEdit ? signs[tag] : undefined,
    word: words[tag],
    look: looks[tag],
  };
}

function neutralSentence(run: string, total: string, changes: number): string {
  if (changes > 0) return 'What you wrote equals what is recorded: nothing falls.';
  return `Nothing is changed yet. ${run} has ${total}; edit one to see what falls.`;
}

function PreviewBadge({ tag }: { readonly tag: FallTag }) {
  return (
    <span className={styles['badge']} data-status={tag} title={meanings[tag]}>
      <StatusSign status={signs[tag]} />
      {words[tag]}
    </span>
  );
}

/** What of it stands is its start; its answer has the status of the command. */
function insideToWords(status: PreviewStatus): string {
  if (status === 'stands') return fallsInside.meaning;
  return `It starts as recorded; its answer ${status === 'falls' ? 'falls with what happens in it' : 'may not be what is recorded'}.`;
}

interface RowProps {
  readonly item: PreviewItem;
  readonly entry: StripEntry | undefined;
  readonly hasEdit: boolean;
  readonly tag: FallTag;
  readonly isHere: boolean;
  readonly onEdit: PreviewProps['onEdit'];
  readonly onKill: PreviewProps['onKill'] | undefined;
}

function Row({ item, entry, hasEdit, tag, isHere, onEdit, onKill }: RowProps) {
  return (
    <li className={styles['row']} data-look={entry?.look} data-here={isHere}>
      {hasEdit ? <PreviewBadge tag={tag} /> : undefined}
      <span className={styles['what']}>
        <FamilyIcon family={entry?.family ?? 'unknown'} effect={entry?.family === 'effect'} />
        <span className={styles['names']}>
          <EventRef event={item.event} bare />
          <span className={styles['path']}>{lineToShown(item.path === '' ? item.kind : item.path)}</span>
          {tag === 'inside' ? <span className={styles['path']}>{insideToWords(item.status)}</span> : undefined}
          {hasEdit && tag === 'stands' ? <span className={styles['path']}>it used nothing that falls</span> : undefined}
          {hasEdit && item.status !== 'stands' && item.status !== 'edited' ? (
            item.reasons.length > 0 ? (
              <ReasonPath reasons={item.reasons} />
            ) : (
              <span className={styles['path']}>it declares nothing that it used</span>
            )
          ) : undefined}
        </span>
      </span>
      <span className={styles['acts']}>
        {item.kind === 'write' && onKill !== undefined ? (
          <IconButton icon="drill" label={`Kill here: ${lineToShown(item.name)}`} onPress={() => onKill(item.path)} />
        ) : undefined}
        <IconButton icon="pencil" label={`Edit ${lineToShown(item.name)}`} onPress={() => onEdit(item.event)} />
      </span>
    </li>
  );
}
