/**
 * What an agent was set up with, taken from its first request (rule `configuration-of-request`): model, instructions, tools, settings, all
 * but the conversation; and the conversation of the first request of all, with which the run began (rule `opening-of-first-request`).
 *
 * A history does not hold the code in which it stands, but every request repeats it. As an observation before the first request it lets a
 * reference program be the loop alone; later requests are then compared with it, as everything control code passes is.
 */
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import type { Execution } from './executions.ts';
import { eventNumber, fieldAt, nameField } from './fields.ts';
import { isModelActivity } from './model-activity.ts';
import { payloadsToValues, valuesToArgs } from './payload.ts';
import { agentOf } from './shared.ts';

/** The conversation of the first request of the run: where the loop began. */
interface Opening {
  readonly value: JsonObject;
  readonly position: string;
}

export interface Configuration {
  /** Of the first request of the run. */
  readonly opening: Opening | undefined;
  /** The agent, where the integration names it. */
  readonly agent: string | undefined;
  readonly value: JsonObject;
  /** Behind the workflow task that decided the request, before all it decided. */
  readonly position: string;
}

/** Members of a request that are the conversation. */
const conversation: ReadonlySet<string> = new Set(['messages', 'contents', 'input']);

/** By the number of the request that shows it first. */
export function computeConfigurations({ records }: Execution): ReadonlyMap<number, Configuration> {
  const known = new Set<string>();
  const found = new Map<number, Configuration>();
  let count = 0;
  for (const record of records) {
    if (record.type !== 'ActivityTaskScheduled') continue;
    const name = nameField(record.attributes, 'activityType') ?? '';
    const input = payloadsToValues(fieldAt(record.attributes, 'input'));
    const args = valuesToArgs(input);
    if (input.unreadable.length > 0 || !isModelActivity(name, args) || !isJsonObject(args)) continue;
    const agent = agentOf(name, record);
    const value = partOf(args, false);
    const key = agent === undefined ? `set ${canon(value)}` : `agent ${agent}`;
    if (known.has(key)) continue;
    known.add(key);
    const task = eventNumber(record.attributes, 'workflowTaskCompletedEventId') ?? record.number - 1;
    const spoken = partOf(args, true);
    const begun = agent === undefined ? spoken : { ...spoken, agent };
    const opening = count === 0 ? { value: begun, position: `${task}.${++count}` } : undefined;
    found.set(record.number, { agent, value, opening, position: `${task}.${++count}` });
  }
  return found;
}

function partOf(args: JsonObject, spoken: boolean): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(args)) if (conversation.has(name) === spoken) setOwn(out, name, value);
  return out;
}
