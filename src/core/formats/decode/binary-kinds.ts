/**
 * Binary files that have no signature of their own, told by how they begin: a tar archive, and protobuf of Temporal and of OTLP.
 *
 * Only to say what they are and how to get what can be read; `magic.ts` asks, after its list of signatures. Invariant: text is never one of
 * them, for each begins with a byte that no JSON begins with or has its mark where text has none.
 */

const ustar = [0x75, 0x73, 0x74, 0x61, 0x72];
/** Where the mark of a tar archive stands. */
const ustarAt = 257;

export function binarySentence(head: Uint8Array): string | undefined {
  if (ustar.every((byte, i) => head[ustarAt + i] === byte))
    return 'It is a tar archive. Unpack it and open the folder.';
  if (isTemporalHistory(head))
    return 'It is the history of a Temporal workflow in binary form (protobuf), which is not read here. Write it as JSON and open that: temporal workflow show --workflow-id ID --output json';
  if (isPrefixed(head) && zstd.every((byte, i) => head[prefixLength + i] === byte))
    return 'It is what the file exporter of the OpenTelemetry Collector wrote with compression: zstd, each message behind its length. Write it without compression, with format: json, and open that.';
  if (isOtlp(head) || (isPrefixed(head) && isOtlp(head.subarray(prefixLength))))
    return 'It is OTLP in binary form (protobuf), which is not read here. Write it as JSON and open that: the file exporter of the OpenTelemetry Collector does it with format: json.';
  return undefined;
}

const zstd = [0x28, 0xb5, 0x2f, 0xfd];
/** The exporter writes the length of each message before it, as four bytes. */
const prefixLength = 4;

/** A length below 16 MiB: no text and no message begins with that byte. */
function isPrefixed(head: Uint8Array): boolean {
  return head[0] === 0 && head.length > prefixLength;
}

interface Field {
  readonly number: number;
  readonly wire: number;
  /** Of a varint its value, of bytes their length. */
  readonly value: number;
  /** Behind the tag and the value or length. */
  readonly at: number;
}

function readField(bytes: Uint8Array, at: number): Field | undefined {
  const tag = readVarint(bytes, at);
  const value = tag === undefined ? undefined : readVarint(bytes, tag.at);
  return tag === undefined || value === undefined
    ? undefined
    : { number: tag.value >>> 3, wire: tag.value & 7, value: value.value, at: value.at };
}

/** Up to four bytes: longer numbers do not stand where these look. */
function readVarint(bytes: Uint8Array, at: number): { readonly value: number; readonly at: number } | undefined {
  let value = 0;
  for (let n = 0; n < 4; n++) {
    const byte = bytes[at + n];
    if (byte === undefined) return undefined;
    value |= (byte & 0x7f) << (7 * n);
    if (byte < 0x80) return { value, at: at + n + 1 };
  }
  return undefined;
}

/** `History{events{event_id, event_time, event_type}}`: the first event has a small number and its time before its kind. */
function isTemporalHistory(head: Uint8Array): boolean {
  const event = readField(head, 0);
  if (event?.number !== 1 || event.wire !== 2) return false;
  const id = readField(head, event.at);
  if (id?.number !== 1 || id.wire !== 0 || id.value === 0) return false;
  const time = readField(head, id.at);
  if (time?.number !== 2 || time.wire !== 2 || time.value > 16) return false;
  const kind = readField(head, time.at + time.value);
  return kind?.number === 3 && kind.wire === 0 && kind.value > 0 && kind.value < 128;
}

/** A request of spans, logs or metrics: lists in lists, whose first text is the name of an attribute of the resource. */
function isOtlp(head: Uint8Array): boolean {
  let at = 0;
  for (let depth = 0; depth < 4; depth++) {
    const field = readField(head, at);
    if (field?.number !== 1 || field.wire !== 2) return false;
    if (depth === 3) return /^[a-z]+(\.[a-z_]+)+$/.test(textOf(head.subarray(field.at, field.at + field.value)));
    ({ at } = field);
  }
  return false;
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 64));
}
