/**
 * Files that people have beside their traces and that hold no run of an agent: what they are and what to open instead, as the rest of a
 * sentence about the file. Asked after every format; content decides, as for formats.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts';
import { memberAt, textAt } from './members.ts';

interface OtherFile {
  readonly is: (value: JsonValue) => boolean;
  readonly what: string;
}

const provKinds =
  /^(?:prefix|entity|activity|agent|bundle|used|was[A-Z]\w+|hadMember|actedOnBehalfOf|specializationOf|alternateOf|mentionOf)$/;

const others: readonly OtherFile[] = [
  {
    is: (value) => textAt(value, '$schema')?.includes('json-schema.org') === true,
    what: 'is a JSON Schema: it says how records look and holds none',
  },
  {
    is: (value) => /^dev\.cdevents\./.test(textAt(memberAt(value, 'context'), 'type') ?? ''),
    what: 'is an event of a delivery pipeline (CDEvents), with no call of a model or a tool in it',
  },
  {
    is: (value) =>
      textAt(value, 'specversion') !== undefined &&
      ['id', 'source', 'type'].every((key) => textAt(value, key) !== undefined),
    what: 'is a CloudEvents envelope: open what was carried in it (its "data") by itself',
  },
  {
    is: isProv,
    what: 'is a PROV-JSON document: it says what was made of what, and holds no record of a run in its order',
  },
  {
    is: (value) => isPrediction(value) || (isJsonObject(value) && Object.values(value).some(isPrediction)),
    what: 'holds the patches that were handed in for tasks (predictions), and not how they came about: open the trajectories (.traj) beside it',
  },
  {
    is: (value) => textAt(value, 'agentType') !== undefined && isJsonObject(value) && !('message' in value),
    what: 'describes a sub-agent of a Claude Code session: open the folder of the session, which holds its messages',
  },
];

function isPrediction(value: JsonValue): boolean {
  return isJsonObject(value) && textAt(value, 'instance_id') !== undefined && 'model_patch' in value;
}

/** PROV names its records; everything in the document is a kind of them or the prefixes of their names. */
function isProv(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return keys.includes('prefix') && keys.length > 1 && keys.every((key) => provKinds.test(key));
}

/** Undefined where nothing is known of it. */
export function describeOther(value: JsonValue): string | undefined {
  const first = isJsonArray(value) ? value[0] : value;
  return first === undefined || first === null ? undefined : others.find(({ is }) => is(first))?.what;
}
