/**
 * The access log: who did what, when, on which trace. Of one trace, or of the whole library, where a deleted trace is still told of.
 *
 * Shown as stored, newest first; whether the chain of entries holds is said above them.
 */
import { type SubmitEvent, useState } from 'react';
import { lineToShown, nameProblem, nameToShown } from '../../core/base/shown-text.ts';
import {
  type AccessLog,
  type LogAction,
  type LogEntry,
  type TraceRecord,
  useAccessLog,
  useSaveSettings,
  useSettings,
} from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { countOf, dateToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { notify } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './AccessLogDialog.module.css';

export interface AccessLogDialogProps {
  /** Undefined: the log of the whole library. */
  readonly trace: TraceRecord | undefined;
  readonly onClose: () => void;
}

const words: Readonly<Record<LogAction, string>> = {
  import: 'imported',
  rename: 'renamed',
  delete: 'deleted',
  purge: 'purged',
  retention: 'changed retention',
  edit: 'edited',
  replay: 'replayed',
  export: 'exported',
  redact: 'redacted',
  share: 'shared',
  disclose: 'disclosed',
  fetch: 'fetched',
};

/** Rows shown before the rest is asked for. */
const firstRows = 100;

export function AccessLogDialog({ trace, onClose }: AccessLogDialogProps) {
  const log = useAccessLog();
  return (
    <Dialog
      title={trace === undefined ? 'Access log' : `Access log of “${trace.name}”`}
      isOpen
      onClose={onClose}
      size="large"
    >
      <div className={styles['log']}>
        {log.error === null ? undefined : (
          <p role="alert" className={styles['problem']}>
            {log.error.message}
          </p>
        )}
        {log.data === undefined ? (
          log.isPending ? (
            <Waiting label="Reading the access log" />
          ) : undefined
        ) : (
          <Shown log={log.data} trace={trace} />
        )}
        <Person />
      </div>
    </Dialog>
  );
}

function Shown({ log, trace }: { readonly log: AccessLog; readonly trace: TraceRecord | undefined }) {
  const [isAll, setAll] = useState(false);
  const entries = log.entries.filter((entry) => trace === undefined || entry.trace === trace.id).toReversed();
  const shown = isAll ? entries : entries.slice(0, firstRows);
  return (
    <>
      <div className={styles['head']}>
        <p className={styles['chain']} data-intact={log.intact}>
          <Icon name={log.intact ? 'check' : 'warning'} />
          {log.intact
            ? `${countOf(entries.length, 'entry', 'entries')}. The chain holds: none was changed, taken out or cut off.`
            : `The chain does not hold: an entry was changed, taken out or cut off, or damaged. ${log.fault ?? ''}`}
        </p>
        <Button icon="file" onPress={() => saveFile(entriesToFile(entries), 'access-log.jsonl')}>
          Save as a file
        </Button>
      </div>
      <DataTable label="Access log" isSmall className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            {trace === undefined ? <th scope="col">Trace</th> : undefined}
            <th scope="col">Exactly</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ n, at, who, what, traceName, detail }) => (
            <tr key={n}>
              <td>
                <time dateTime={at}>{dateToText(at)}</time>
              </td>
              <td>{nameToShown(who)}</td>
              <td>{words[what]}</td>
              {trace === undefined ? <td>{nameToShown(traceName ?? '–')}</td> : undefined}
              <td className={styles['detail']}>{lineToShown(detail)}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
      {shown.length < entries.length ? (
        <Button onPress={() => setAll(true)}>
          Show {countOf(entries.length - shown.length, 'more entry', 'more entries')}
        </Button>
      ) : undefined}
    </>
  );
}

/** Oldest first, with the digests that make the chain. */
function entriesToFile(newestFirst: readonly LogEntry[]): Blob {
  return new Blob(
    newestFirst.toReversed().map((entry) => `${JSON.stringify(entry)}\n`),
    { type: 'application/x-ndjson' },
  );
}

function Person() {
  const settings = useSettings();
  const save = useSaveSettings();
  const [typed, setTyped] = useState<string>();
  const name = typed ?? settings.data?.person ?? '';
  const problem = nameProblem(name);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problem !== undefined) return;
    const person = nameToShown(name);
    save.mutate(
      { person },
      { onSuccess: () => notify(person === '' ? 'New entries name nobody.' : `New entries name ${person}.`) },
    );
  };
  return (
    <form className={styles['person']} onSubmit={submit}>
      <Field
        label="Your name in new entries"
        value={name}
        onChange={setTyped}
        placeholder="not named"
        problem={problem}
        help="Written as you give it and never checked. It stays on this machine."
      />
      {/* Never disabled while it may hold the focus: Escape is heard where the focus is. */}
      <Button type="submit">Save the name</Button>
    </form>
  );
}
