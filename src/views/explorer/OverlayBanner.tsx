/**
 * Says what is laid over the panes: the preview of an edit, or what a replay made of the run; each count leads to its events.
 *
 * Announced politely when it changes, because the picture changes with it.
 */
import { useEffect } from 'react';
import type { EventId } from '../../core/model/index.ts';
import { useSummary } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { announce } from '../../ui/notices.ts';
import { Explained } from '../../ui/Term.tsx';
import type { Explorer } from './explorer.ts';
import { MarkBadge } from './MarkBadge.tsx';
import type { Overlay, OverlayGroup } from './overlay.ts';
import type { OverlayState } from './use-overlay.ts';
import { isUsable } from './what-if.ts';
import styles from './OverlayBanner.module.css';

export interface OverlayBannerProps {
  readonly explorer: Explorer;
  readonly state: OverlayState;
  readonly onReplay: (() => void) | undefined;
  /** Takes the preview or the comparison away; what was typed is kept. */
  readonly onClear: () => void;
  /** Shows the branch against its parent, or the other way round. */
  readonly onTurn: () => void;
}

export function OverlayBanner({ explorer, state, onReplay, onClear, onTurn }: OverlayBannerProps) {
  const { overlay, subject, problem, isAsking } = state;
  const summary = useSummary(explorer.trace);
  const label = summary.data?.branches.find(({ id }) => id === state.branch)?.label ?? state.branch ?? '';
  const sentence =
    subject === undefined
      ? overlay === undefined
        ? undefined
        : branchSentence(overlay, label)
      : (problem ?? previewSentence(subject, overlay, isAsking));
  // Syncs with the live region of the page.
  useEffect(() => {
    if (sentence !== undefined && !isAsking) announce(sentence);
  }, [sentence, isAsking]);
  if (sentence === undefined) return undefined;
  const isPreview = subject !== undefined;
  return (
    <section
      className={styles['banner']}
      data-preview={isPreview}
      aria-label={isPreview ? 'Preview of an edit' : 'What the replay made of it'}
    >
      <Icon name={problem === undefined ? (isPreview ? 'pencil' : 'branch') : 'warning'} />
      <p>
        <Explained text={sentence} />
      </p>
      {overlay === undefined ? undefined : (
        <ul aria-label="Events, by what becomes of them: press to step through them">
          <li aria-hidden="true">Events:</li>
          {overlay.groups.map((group) => (
            <li key={group.mark.word}>
              <button
                type="button"
                title={`${group.mark.meaning} Press to go to the next one.`}
                onClick={() => explorer.select(nextOf(group, explorer.event))}
              >
                <MarkBadge mark={group.mark} count={group.count} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <span className={styles['acts']}>
        {isPreview ? (
          <>
            {onReplay === undefined ? undefined : (
              <Button icon="replay" shortcut="r" isDisabled={!isUsable(state.draft)} onPress={onReplay}>
                Open replay
              </Button>
            )}
            <Button kind="quiet" icon="close" onPress={onClear}>
              {state.supposed === undefined ? 'Hide' : 'Clear'}
            </Button>
          </>
        ) : (
          <Button icon="branch" onPress={onTurn}>
            {overlay?.kind === 'branch' ? 'Show on what it was made from' : 'Back to the branch'}
          </Button>
        )}
      </span>
    </section>
  );
}

function nextOf({ events }: OverlayGroup, here: EventId | undefined): EventId {
  const at = here === undefined ? -1 : events.indexOf(here);
  const next = events[(at + 1) % events.length];
  if (next === undefined) throw new RangeError('A group of marks has at least one event.');
  return next;
}

function previewSentence(subject: string, overlay: Overlay | undefined, isAsking: boolean): string {
  if (isAsking || overlay === undefined) return `Preview: following the edges from ${subject}.`;
  if (overlay.sentence === undefined)
    return `Preview: ${subject} is as recorded. What you wrote is equal to it, so nothing is changed.`;
  return `Preview: if ${subject} were different, by declared edges ${overlay.sentence}.`;
}

function branchSentence(overlay: Overlay, label: string): string {
  if (overlay.kind === 'parent') return `Compared with the branch “${label}”: what it did with each event shown here.`;
  return `Branch “${label}”: what the replay made of each event. One that only has a tick is inherited as it was recorded.`;
}
