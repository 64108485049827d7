/**
 * The share panel: what goes, what the reviewer will see, and the link or file that carries it.
 *
 * Left the policy, right the reviewer's own page over the very bytes that leave. Nothing is sent from here: the person takes the
 * link or the file and passes it on.
 */
import { useDeferredValue, useMemo, useState } from 'react';
import { closedPolicy, type RedactionPolicy } from '../../core/redaction/index.ts';
import type { ShareScope } from '../../core/share/index.ts';
import { type TraceId, useFindings, useMadeShare, useTrace } from '../../data/index.ts';
import { setSplit, usePreferences } from '../../state/preferences.ts';
import type { TraceViewProps } from '../../state/location.ts';
import { Message } from '../../ui/Message.tsx';
import { Split } from '../../ui/Split.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { Covering } from './Covering.tsx';
import { dayToExpires } from './expires.ts';
import { Leaving } from './Leaving.tsx';
import { PolicyTable } from './PolicyTable.tsx';
import { type Previewed, ReviewerPreview } from './ReviewerPreview.tsx';
import { ScopeChoice } from './ScopeChoice.tsx';
import { Sending } from './Sending.tsx';
import styles from './View.module.css';

export interface ShareViewProps extends TraceViewProps {
  readonly trace: TraceId;
}

export function View({ trace, location }: ShareViewProps) {
  const record = useTrace(trace);
  const [policy, setPolicy] = useState<RedactionPolicy>(closedPolicy);
  const [scope, setScope] = useState<ShareScope>({ kind: 'all' });
  const [title, setTitle] = useState('Redacted copy');
  const [note, setNote] = useState('');
  const [expires, setExpires] = useState('');
  const request = useMemo(
    () => ({
      trace,
      branch: location.branch,
      scope,
      policy,
      title: title.trim() === '' ? 'Redacted copy' : title.trim(),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      ...(expires === '' ? {} : { expires: dayToExpires(expires) }),
      ...(location.event === undefined ? {} : { event: location.event }),
    }),
    [trace, location.branch, location.event, scope, policy, title, note, expires],
  );
  // Typing stays quick while the copy is made anew.
  const settled = useDeferredValue(request);
  const made = useMadeShare(settled);
  // Nothing can be sent that was not previewed: what the frame shows now is what leaves.
  const [previewed, setPreviewed] = useState<Previewed>();
  const isShown = previewed !== undefined && previewed.bytes === made.data?.bytes;
  // The selection that the explorer shows where the address names none: the evidence of the weightiest finding.
  const findings = useFindings(trace, location.branch);
  const selected = location.event ?? findings.data?.find(({ evidence }) => evidence.length > 0)?.evidence[0];
  const share = usePreferences(({ splits }) => splits['share'] ?? 0.4);
  const isWide = useMedia('(width >= 900px)');
  const panel = (
    <div className={styles['panel']}>
      <h1 className={styles['title']}>Share a redacted copy of {record.data?.name ?? 'this trace'}</h1>
      <p className={styles['lead']}>
        Everything is closed until you open it. The copy is made and encrypted on this machine; nothing is sent. What is
        on the right is what the reviewer gets, from the same bytes.
      </p>
      <ScopeChoice trace={trace} scope={scope} onScope={setScope} event={selected} branch={location.branch} />
      <PolicyTable policy={policy} onPolicy={setPolicy} leaves={made.data?.leaves ?? []} />
      <Covering
        title={title}
        onTitle={setTitle}
        note={note}
        onNote={setNote}
        expires={expires}
        onExpires={setExpires}
      />
      {made.error === null ? undefined : (
        <Message title="The copy could not be made" tone="problem" icon="warning">
          {made.error.message}
        </Message>
      )}
      <Leaving made={made.data} />
      {isShown && previewed.problem !== undefined ? (
        <Message title="The reviewer could not open this copy" tone="problem" icon="warning">
          {previewed.problem}
        </Message>
      ) : undefined}
      <Sending
        made={settled === request && isShown && previewed.problem === undefined ? made.data : undefined}
        trace={trace}
        policy={policy}
      />
    </div>
  );
  const preview = <ReviewerPreview bytes={made.data?.bytes} previewed={previewed} onPreviewed={setPreviewed} />;
  if (!isWide) {
    return (
      <div className={styles['view']} data-stacked="true">
        {panel}
        {preview}
      </div>
    );
  }
  return (
    <div className={styles['view']}>
      <Split label="Width of the share panel" share={share} onShare={(next) => setSplit('share', next)}>
        {panel}
        {preview}
      </Split>
    </div>
  );
}
