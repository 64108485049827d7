/** What was recorded in the event: the payload as a tree, values stored apart on demand, and the line that is kept of it. */
import { useMemo, useState } from 'react';
import { indentJson } from '../../core/base/indent-json.ts';
import { writeLossless } from '../../core/base/lossless.ts';
import { controlsToEscapes } from '../../core/base/shown-text.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../core/base/json.ts';
import type { Inspection } from '../../core/projections/trace-reader.ts';
import { useContent } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { bytesToText, countToText, shortId } from '../../ui/format.ts';
import { JsonView } from '../../ui/JsonView.tsx';
import type { Explorer } from './explorer.ts';
import { Section } from './InspectorParts.tsx';
import { rawToNote, rawToRecord, rawToTitle } from './raw-words.ts';
import { payloadToReadable } from './readable.ts';
import styles from './Inspector.module.css';

const mostReferences = 20;
const rawShown = 20_000;
/** With each press after that: what is laid out at once stays within what a page can lay out. */
const moreShown = 20_000;
const readableShown = 3000;

export function PayloadTab({ inspection, explorer }: { readonly inspection: Inspection; readonly explorer: Explorer }) {
  const event = isJsonObject(inspection.event) ? inspection.event : {};
  const { data, command, imported, ...envelope } = event;
  const references = data === undefined ? [] : findReferences(data);
  const readable = isJsonObject(data) ? payloadToReadable(data) : [];
  return (
    <>
      {readable.map(({ title, text }) => (
        <Section key={title} title={`${title} as text`}>
          <Text text={text} most={readableShown} />
        </Section>
      ))}
      <Section title="Payload">
        {data === undefined || (isJsonObject(data) && Object.keys(data).length === 0) ? (
          <p className={styles['none']}>The record has no payload.</p>
        ) : (
          <JsonView value={data} label="Payload" />
        )}
      </Section>
      {references.length === 0 ? undefined : (
        <Section title="Values stored apart">
          {references.map((reference) => (
            <Reference key={reference.digest} reference={reference} explorer={explorer} />
          ))}
        </Section>
      )}
      {command === undefined ? undefined : (
        <Section title="Command of the control program">
          <JsonView value={command} label="Command" depth={2} />
        </Section>
      )}
      <Section title="Envelope">
        <JsonView value={envelope} label="Envelope" depth={1} />
      </Section>
      {imported === undefined ? undefined : (
        <Section title="Where it was converted from">
          <JsonView value={imported} label="Source record" depth={1} />
        </Section>
      )}
    </>
  );
}

interface ContentReference {
  readonly digest: string;
  readonly bytes: number | undefined;
}

/** References to values stored apart, anywhere in a payload. With an own stack: payloads may be deep. */
function findReferences(root: JsonValue): readonly ContentReference[] {
  const found = new Map<string, ContentReference>();
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined && found.size < mostReferences; value = pending.pop()) {
    if (isJsonArray(value)) for (const member of value) pending.push(member);
    else if (isJsonObject(value)) {
      const reference = objectToReference(value);
      if (reference !== undefined) found.set(reference.digest, reference);
      else for (const member of Object.values(value)) pending.push(member);
    }
  }
  return [...found.values()];
}

function objectToReference(value: JsonObject): ContentReference | undefined {
  const digest = value['$ref'];
  const bytes = value['bytes'];
  return typeof digest === 'string' && digest.startsWith('sha256:')
    ? { digest, bytes: typeof bytes === 'number' ? bytes : undefined }
    : undefined;
}

function Reference({ reference, explorer }: { readonly reference: ContentReference; readonly explorer: Explorer }) {
  const [isOpen, setOpen] = useState(false);
  const content = useContent(explorer.trace, isOpen ? reference.digest : undefined);
  return (
    <div className={styles['reference']}>
      <p>
        <code title={reference.digest}>{shortId(reference.digest)}</code>
        {reference.bytes === undefined ? undefined : <span>{bytesToText(reference.bytes)}</span>}
        <Button kind="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </p>
      {!isOpen ? undefined : !content.isSuccess ? (
        <Awaited of={content} label="Reading the content" isInline />
      ) : content.data === undefined ? (
        <Chip tone="warning">not in this trace; only its digest is here</Chip>
      ) : (
        <Text text={content.data.text ?? `${content.data.mediaType}, not text`} />
      )}
    </div>
  );
}

/** Longer lines are shown as they are: laying them out would take longer than anybody waits. */
const mostLaidOut = 2_000_000;

function layOut(text: string): string {
  return text.length <= mostLaidOut ? indentJson(text) : text;
}

export function RawTab({ inspection }: { readonly inspection: Inspection }) {
  const { raw, event } = inspection;
  const note = rawToNote(event);
  const record = rawToRecord(event);
  // A line that Hindcast made is made to be read; one that was written is shown as it was.
  const [isLaidOut, setLaidOut] = useState(note !== undefined);
  const canLayOut = raw.length <= mostLaidOut;
  const text = useMemo(() => (isLaidOut ? layOut(raw) : raw), [raw, isLaidOut]);
  return (
    <>
      {record === undefined ? undefined : (
        <Section title="The record, as its values were read">
          <Text text={layOut(writeLossless(record))} />
        </Section>
      )}
      <Section
        title={rawToTitle(event)}
        end={
          <span className={styles['acts']}>
            {canLayOut ? (
              <Button kind="quiet" onPress={() => setLaidOut(!isLaidOut)}>
                {isLaidOut ? 'As one line' : 'Lay out'}
              </Button>
            ) : undefined}
            <Button kind="quiet" icon="copy" onPress={() => copyText(raw, 'The line was copied.')}>
              Copy
            </Button>
          </span>
        }
      >
        {note === undefined ? undefined : <p className={styles['rawNote']}>{note}</p>}
        <Text text={text} />
      </Section>
    </>
  );
}

function Text({ text, most = rawShown }: { readonly text: string; readonly most?: number }) {
  const [shown, setShown] = useState(most);
  const rest = text.length - shown;
  return (
    <>
      <pre className={styles['raw']}>{controlsToEscapes(text.slice(0, shown))}</pre>
      {rest > 0 ? (
        <Button kind="quiet" onPress={() => setShown(shown + moreShown)}>
          {rest > moreShown
            ? `Show ${countToText(moreShown)} of ${countToText(rest)} more characters`
            : `Show ${countToText(rest)} more characters`}
        </Button>
      ) : undefined}
    </>
  );
}
