/** Each class opened alone: what leaves is of that class, in every member of every event type. */
import { describe, expect, it } from 'vitest';
import { type ValueClass, closedPolicy, openClasses, redact, valueClasses } from './index.ts';
import { createCanaries, everyType } from './testing/canaries.ts';

const secret = 'a'.repeat(32);
const canaries = createCanaries();
const events = everyType(canaries);

/** Places of the canaries that leave in clear. */
function placesLeaving(opened: readonly ValueClass[]): ReadonlySet<string> {
  const text = redact({ events, policy: openClasses(closedPolicy, opened), secret }).lines.join('\n');
  return new Set([...text.matchAll(/canary\d+q|731\d{6}/g)].flatMap(([canary]) => canaries.places.get(canary) ?? []));
}

/**
 * What each class means, said a second time and on its own: members of payloads by `TYPE POINTER`. Everything else is of no class
 * but "everything else", or never leaves.
 */
const members: Readonly<Record<Exclude<ValueClass, 'attributes'>, RegExp>> = {
  messages:
    /^(?:model_call\.\w+ \/(?:args|result|response|input_messages|output_messages|system_instructions)|agent\.\w+ \/passed|message\.sent \/content|replay\.started \/operation\/(?:value\/model|call\/args))$/,
  arguments:
    /^(?:(?:tool_call|timer|agent)\.\w+ \/args|pure\.computed \/args|policy\.evaluated \/args|access\.exercised \/target)$/,
  results:
    /^(?:tool_call\.\w+ \/(?:result|response)|(?:timer|agent)\.\w+ \/result|artifact\.\w+ \/value|policy\.evaluated \/(?:result|value)|(?:pure\.computed|step\.completed|run\.completed) \/result|replay\.started \/operation\/value\/(?:read|write|timer|child))$/,
  decisions:
    /^(?:decision\.made \/(?:args|result|chosen|alternatives\/0|because|context)|replay\.started \/operation\/value\/decide)$/,
  states:
    /^(?:state\.transitioned \/(?:args|result|value|patch)|checkpoint\.\w+ \/states|run\.rolled_over \/carried|replay\.started \/operation\/value\/state)$/,
  'human-input':
    /^(?:(?:signal|approval|input)\.\w+ \/(?:args|result|value)|(?:approval\.\w+|access\.exercised) \/reason|run\.started \/input|run\.rolled_over \/buffered|replay\.started \/operation\/(?:input|value\/signal))$/,
  errors: /^(?:[\w.]+ \/error\/(?:name|message|data|\*)|effect\.\w+ \/reason|replay\.started \/operation\/error)$/,
  program:
    /^(?:run\.started \/program\/(?:source|original)|random\.drawn \/(?:args|result|value)|clock\.read \/args|replay\.started \/operation\/(?:program_(?:before|after)\/(?:source|original|digest)|value\/random))$/,
  usage:
    /^(?:model_call\.\w+ \/(?:usage\/(?:\*|input_tokens|output_tokens)|cost\/(?:amount|currency)|parameters|finish_reasons\/0)|replay\.started \/operation\/usage)$/,
  environment:
    /^(?:[\w.]+ \/(?:environment|versions|pid|where)|(?:tool_call\.\w+|policy\.evaluated) \/version|env\.read \/(?:args|result|value)|run\.started \/(?:engine|limits|task|envelope|program\/version)|trial\.\w+ \/envelope|decision\.made \/budget|stream\.declared \/(?:conventions|clocks\/0\/(?:kind|host)|tools\/0\/version)|replay\.started \/operation\/(?:sandbox|limits|flags|program_(?:before|after)\/version))$/,
  governance:
    /^(?:run\.started \/(?:policies|components)|model_call\.\w+ \/tool_definitions|decision\.made \/(?:tools|policy)|policy\.evaluated \/verdict|stream\.declared \/tools\/0\/(?:args|result|idempotency\/window))$/,
  annotations: /^(?:annotation\.made \/(?:label|body|method|version)|replay\.started \/operation\/reason)$/,
  people:
    /^(?:envelope \/principal\/(?:id|on_behalf_of|privileged_path)|approval\.\w+ \/by|access\.exercised \/(?:role|authority)|annotation\.made \/annotator\/id|replay\.started \/operation\/actor)$/,
  agents: /^(?:envelope \/agent|(?:agent|message)\.\w+ \/(?:from|to))$/,
  names:
    /^(?:envelope \/(?:type|causes\/rule|command\/(?:path|kind|name|reads|writes))|[\w.]+ \/(?:name|tool|provider|request_model|response_model|policy|action|invariant|campaign|trial)|marker\.recorded \/id|fault\.\w+ \/class|effect\.\w+ \/effect\/(?:kind|target)|run\.started \/program\/name|observation\.reused \/path|replay\.completed \/blocked\/name|stream\.declared \/tools\/0\/(?:name|reads\/0|writes\/0)|replay\.started \/operation\/(?:path|program_(?:before|after)\/name))$/,
  effects:
    /^(?:effect\.\w+ \/effect\/id|(?:effect|tool_call)\.\w+ \/idempotency_key|tool_call\.\w+ \/call_id|model_call\.\w+ \/response_id)$/,
  components:
    /^(?:envelope \/(?:clock|source\/(?:component|instance))|effect\.\w+ \/reported_by|stream\.declared \/(?:clocks\/0\/id|producers\/0\/component|tools\/0\/service))$/,
  sessions:
    /^(?:envelope \/(?:session|step|branch)|branch\.created \/parent|share\.omitted \/branches\/0\/branch|replay\.started \/operation\/(?:base_branch|from\/(?:run|event)))$/,
};

/** The policy of a decision is a declaration; that of an evaluation is a name. */
function isOf(cls: Exclude<ValueClass, 'attributes'>, place: string): boolean {
  return members[cls].test(place) && !(cls === 'names' && place === 'decision.made /policy');
}

const named = valueClasses.flatMap(({ id }) => (id === 'attributes' ? [] : [id]));
const places = [...new Set(canaries.places.values())];

describe('R73 R75 one class opened alone', () => {
  it.each(named)('%s lets out every member of its own and none of another', (opened) => {
    const left = [...placesLeaving([opened])].sort();
    expect(left).toEqual(places.filter((place) => isOf(opened, place)).sort());
    expect(left.length).toBeGreaterThan(3);
  });

  it('everything else lets out no member that has a class', () => {
    const left = [...placesLeaving(['attributes'])];
    expect(left.filter((place) => named.some((cls) => isOf(cls, place)))).toEqual([]);
    expect(left.filter((place) => place.endsWith('/*')).length).toBeGreaterThan(50);
  });

  it('what quotes several classes leaves with all of them, and identifiers, times and digests with none', () => {
    const left = placesLeaving(valueClasses.map(({ id }) => id));
    for (const several of ['history.compacted /summary', 'replay.completed /blocked/args', 'replay.diverged /message'])
      expect(left).toContain(several);
    const never =
      /^envelope \/(?:id|run|replay|seq|mono)$|\/(?:op_id|base_digest|digest|request_digest)$|\/value\/clock$|\/due$/;
    // Of a program that leaves whole, the digest does too.
    expect([...left].filter((place) => never.test(place) && !/program_\w+\/digest$/.test(place))).toEqual([]);
    expect(places.filter((place) => never.test(place)).length).toBeGreaterThan(20);
  });
});
