/**
 * What an evaluation says of a run, in a few words, from one event: a score, a reward, a decisive mistake, how a harness says it ended.
 *
 * Invariant: told from the record alone; undefined for every event that judges nothing. Called by the list of traces to choose from and
 * by the headline.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { lineToShown } from '../base/shown-text.ts';

const longest = 60;

export function eventToVerdict(type: string, data: JsonObject): string | undefined {
  if (type === 'annotation.made') return annotationToVerdict(data);
  if (type !== 'run.completed' && type !== 'run.failed') return undefined;
  const evaluation = data['evaluation'];
  const reward = isJsonObject(evaluation) ? toWords(evaluation['reward']) : undefined;
  if (reward !== undefined) return `reward ${reward}`;
  const status = toWords(data['exit_status']);
  return status === undefined ? undefined : `exit status ${status}`;
}

function annotationToVerdict({ label, body }: JsonObject): string | undefined {
  if (label === 'score') {
    const score = toWords(isJsonObject(body) ? body['value'] : body);
    return score === undefined ? undefined : `score ${score}`;
  }
  if (label !== 'decisive mistake' || !isJsonObject(body)) return undefined;
  const [agent, step] = [toWords(body['agent']), toWords(body['step'])];
  return `decisive mistake${agent === undefined ? '' : ` of ${agent}`}${step === undefined ? '' : ` at step ${step}`}`;
}

/** A text, a number or a truth value; of several scores each with its name. */
function toWords(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : lineToShown(value.slice(0, longest));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).slice(0, 3);
  const told = members.flatMap(([name, one]) =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [`${name} ${String(one)}`] : [],
  );
  return told.length === 0 || members.some(([name]) => name.startsWith('$'))
    ? undefined
    : lineToShown(told.join(', ').slice(0, longest));
}
