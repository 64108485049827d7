/** The records that could not be used as they are: where, why, and the bytes themselves, so that nothing is lost. */
import { useEffect, useState } from 'react';
import { controlsToEscapes, lineToShown, passageToShown } from '../../core/base/shown-text.ts';
import type { ProblemRow } from '../../core/projections/trace-reader.ts';
import { useProblems } from '../../data/index.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { dismissNoticesAbout } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { EventIdLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import styles from './ProblemsDrawer.module.css';

const page = 100;

export function ProblemsDrawer({ explorer, onClose }: { readonly explorer: Explorer; readonly onClose: () => void }) {
  const [shown, setShown] = useState(page);
  const { trace } = explorer;
  const { data, error } = useProblems(trace, 0, shown);
  // Syncs with the notices of the page: what leads here is answered.
  useEffect(() => dismissNoticesAbout(trace), [trace]);
  return (
    <section className={styles['drawer']} aria-label="Problems and remarks">
      <header>
        <h2>Problems and remarks</h2>
        <span>
          {data === undefined
            ? ''
            : `${countToText(data.total)} about the records; what they tell of the run is under Findings`}
        </span>
        <IconButton icon="close" label="Close the problems" shortcut="Escape" onPress={onClose} />
      </header>
      <div className={styles['content']}>
        {error === null ? undefined : (
          <Message title="The problems could not be read" tone="problem" icon="warning">
            {error.message}
          </Message>
        )}
        {data === undefined ? <Waiting label="Reading the problems" /> : undefined}
        {data?.total === 0 ? <Message title="Every record could be used as it is" icon="check" /> : undefined}
        <ol>
          {data?.problems.map((problem, at) => (
            <Problem key={at} problem={problem} explorer={explorer} />
          ))}
        </ol>
        {data !== undefined && data.total > data.problems.length ? (
          <div className={styles['more']}>
            <Button
              onPress={() => setShown(shown + page * 4)}
            >{`Show more; ${countToText(data.total - data.problems.length)} are left`}</Button>
          </div>
        ) : undefined}
      </div>
    </section>
  );
}

function Problem({ problem, explorer }: { readonly problem: ProblemRow; readonly explorer: Explorer }) {
  const { code, message, severity, file, line, offset, raw, events } = problem;
  const place = [
    file === undefined ? undefined : lineToShown(file),
    line === undefined ? undefined : `line ${countToText(line)}`,
    offset === undefined ? undefined : `byte ${countToText(offset)}`,
  ].filter((part) => part !== undefined);
  return (
    <li className={styles['problem']}>
      <Chip tone={severity === 'problem' ? 'danger' : 'neutral'}>{severity === 'notice' ? 'remark' : severity}</Chip>
      <div className={styles['body']}>
        <p>{passageToShown(message)}</p>
        <p className={styles['place']}>
          {place.length === 0 ? undefined : <span>{place.join(', ')}</span>}
          <code>{code}</code>
          {events.slice(0, 4).map((event) => (
            <EventIdLink key={event} event={event} explorer={explorer} />
          ))}
        </p>
        {raw === undefined ? undefined : <RawBytes base64={raw} />}
      </div>
    </li>
  );
}

function RawBytes({ base64 }: { readonly base64: string }) {
  const [isOpen, setOpen] = useState(false);
  const bytes = isOpen ? base64ToBytes(base64) : undefined;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The bytes as they stand in the file</summary>
      {bytes === undefined ? undefined : (
        <>
          <pre>{controlsToEscapes(new TextDecoder().decode(bytes.slice(0, 4000)))}</pre>
          <p className={styles['place']}>{countOf(bytes.length, 'byte')}; what is not text is shown as �</p>
        </>
      )}
    </details>
  );
}

function base64ToBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
