/**
 * Events of every type with a canary wherever a writer has a choice: every text, every number, every name of an unknown member.
 *
 * Invariant: each canary is planted once, and `places` says where. Called by the tests of redaction.
 */
import { sha256Hex } from '../../base/hash.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { type HindcastEvent, commandKinds, eventJsonSchema, parseEvent } from '../../model/index.ts';

interface Canaries {
  readonly planted: string[];
  /** From a canary to `TYPE POINTER`; a name of an unknown member has the pointer of its object and `*`. */
  readonly places: Map<string, string>;
  readonly text: (where?: string) => string;
  readonly number: (where?: string) => number;
}

export function createCanaries(): Canaries {
  const planted: string[] = [];
  const places = new Map<string, string>();
  function plant(canary: string, where: string): void {
    planted.push(canary);
    places.set(canary, where);
  }
  return {
    planted,
    places,
    text: (where = '') => {
      const canary = `canary${String(planted.length + 1)}q`;
      plant(canary, where);
      return canary;
    },
    number: (where = '') => {
      const canary = 731_000_001 + planted.length;
      plant(String(canary), where);
      return canary;
    },
  };
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function plant(schema: JsonObject, canaries: Canaries, where: string): JsonValue {
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (isJsonArray(options)) {
    const chosen = options.find((option) => asObject(option)['type'] !== 'null');
    return plant(asObject(chosen), canaries, where);
  }
  if (schema['const'] !== undefined) return schema['const'];
  if (isJsonArray(schema['enum'])) return schema['enum'][0] ?? null;
  if (schema['pattern'] !== undefined) return '0af7651916cd43dd8448eb211c80319c';
  const type = isJsonArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return canaries.text(where);
    case 'integer':
    case 'number':
      return canaries.number(where);
    case 'boolean':
      return true;
    case 'array': {
      const items = asObject(schema['items']);
      const first = plant(items, canaries, `${where}/0`);
      return Object.keys(items).length > 0 ? [first] : [first, canaries.text(`${where}/0`)];
    }
    case 'object':
      return 'properties' in schema || 'additionalProperties' in schema
        ? plantObject(schema, canaries, where)
        : anyValue(canaries, where);
    default:
      return anyValue(canaries, where);
  }
}

/** Any JSON, as members that take any may hold it. */
function anyValue(canaries: Canaries, where: string): JsonObject {
  return { [canaries.text(where)]: canaries.text(where), list: [canaries.text(where), canaries.number(where)] };
}

function plantObject(schema: JsonObject, canaries: Canaries, where: string): JsonObject {
  const unknown = `${where}/*`;
  const out: Record<string, JsonValue> = { [canaries.text(unknown)]: { deep: canaries.text(unknown) } };
  for (const [key, member] of Object.entries(asObject(schema['properties'])))
    out[key] = plant(asObject(member), canaries, `${where}/${key}`);
  return out;
}

export function envelope(canaries: Canaries): JsonObject {
  const at = (pointer: string): string => canaries.text(`envelope ${pointer}`);
  return {
    v: 1,
    id: at('/id'),
    run: sha256Hex(at('/run')).slice(0, 32),
    span: '00f067aa0ba902b7',
    session: at('/session'),
    step: at('/step'),
    branch: at('/branch'),
    seq: canaries.number('envelope /seq'),
    time: '2031-05-06T07:08:09.123Z',
    clock: at('/clock'),
    mono: String(canaries.number('envelope /mono')),
    source: {
      component: at('/source/component'),
      instance: at('/source/instance'),
      incarnation: at('/source/incarnation'),
      version: at('/source/version'),
      extra: at('/source/*'),
    },
    agent: at('/agent'),
    principal: {
      id: at('/principal/id'),
      kind: 'human',
      on_behalf_of: at('/principal/on_behalf_of'),
      privileged_path: at('/principal/privileged_path'),
      extra: at('/principal/*'),
    },
    causes: [{ event: at('/causes/event'), as: 'consumed', rule: at('/causes/rule'), extra: at('/causes/*') }],
    supersedes: at('/supersedes'),
    replay: at('/replay'),
    durable: { status: 'durable', where: at('/durable/where') },
    command: {
      path: `/par:${at('/command/path')}/write:${at('/command/path')}=${at('/command/path')}`,
      kind: at('/command/kind'),
      name: at('/command/name'),
      args: `sha256:${sha256Hex(at('/command/args'))}`,
      attempt: 831_000_001,
      issued: 4_111_111_111_111_111,
      delivered: '4111111111111111.831000001',
      reads: [at('/command/reads')],
      writes: [`${at('/command/writes')}/${at('/command/writes')}`],
      alias: at('/command/alias'),
      site: { function: at('/command/site'), line: canaries.number('envelope /command/site') },
    },
    imported: {
      format: at('/imported'),
      file: at('/imported'),
      record: at('/imported'),
      extra: { [at('/imported')]: at('/imported') },
    },
    [at('/*')]: at('/*'),
  };
}

export function parsed(record: JsonObject): HindcastEvent {
  const result = parseEvent(record);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export function everyType(canaries: Canaries): readonly HindcastEvent[] {
  const schemas = asObject(eventJsonSchema() as JsonObject)['anyOf'];
  return (isJsonArray(schemas) ? schemas : []).map((schema, n) => {
    const properties = asObject(asObject(schema)['properties']);
    const known = asObject(properties['type'])['const'];
    const type = typeof known === 'string' ? known : canaries.text('envelope /type');
    const place = `${typeof known === 'string' ? known : 'unknown'} `;
    if (type === 'content.stored' || type === 'share.declared')
      return parsed({ ...envelope(canaries), type, data: { digest: `sha256:${'0'.repeat(64)}`, holes: [] } });
    const planted = plantObject(asObject(properties['data']), canaries, place);
    const data = { ...planted, ...particular(type, planted, canaries) };
    if ('digest' in data) data['digest'] = `sha256:${sha256Hex(String(n))}`;
    return parsed({ ...envelope(canaries), type, data });
  });
}

/** Members that mean more than their schema says, or whose shape is checked by code. */
function particular(type: string, planted: JsonObject, canaries: Canaries): Record<string, JsonValue> {
  const at = (pointer: string): string => canaries.text(`${type} ${pointer}`);
  switch (type) {
    case 'run.started':
      return { program: { ...asObject(planted['program']), digest: `sha256:${sha256Hex('p')}` } };
    case 'observation.reused':
      return { path: at('/path'), event: at('/event'), delivered: at('/delivered') };
    case 'history.compacted':
      return { stands_for: [at('/stands_for')] };
    case 'replay.started':
      return { operation: plantOperation(canaries) };
    case 'replay.completed':
      return {
        counts: { reused: canaries.number(`${type} /counts`), [at('/counts/*')]: 1 },
        blocked: [
          {
            path: at('/blocked/path'),
            kind: at('/blocked/kind'),
            name: at('/blocked/name'),
            reason: at('/blocked/reason'),
            args: anyValue(canaries, `${type} /blocked/args`),
          },
        ],
      };
    case 'replay.diverged':
      return {
        divergences: [
          { kind: at('/kind'), path: at('/path'), message: at('/message'), position: at('/position'), more: at('/*') },
        ],
      };
    default:
      return {};
  }
}

/** An operation with one edit of each kind of command, as the replayer records it and with members it does not know. */
function plantOperation(canaries: Canaries): JsonObject {
  const type = 'replay.started';
  const at = (pointer: string): string => canaries.text(`${type} /operation${pointer}`);
  const target = (kind: string): JsonObject => ({
    path: `/${kind}:${at('/path')}#0`,
    record: at('/record'),
    evidence: at('/evidence'),
    replacement: {
      digest: at('/replacement/digest'),
      origin: 'supplied',
      outcome: {
        value: anyValue(canaries, `${type} /operation/value/${kind}`),
        error: { name: at('/error'), message: at('/error'), data: at('/error') },
        [at('/*')]: at('/*'),
      },
      [at('/*')]: at('/*'),
    },
    from: {
      origin: 'live',
      run: at('/from/run'),
      event: at('/from/event'),
      call: { usage: { input_tokens: canaries.number(`${type} /operation/usage`) }, args: at('/call/args') },
    },
    [at('/*')]: at('/*'),
  });
  const programAt = (which: string): JsonObject => ({
    name: at(`/${which}/name`),
    version: at(`/${which}/version`),
    digest: at(`/${which}/digest`),
    source: at(`/${which}/source`),
    original: at(`/${which}/original`),
  });
  return {
    op_id: at('/op_id'),
    kind: at('/kind'),
    run: at('/run'),
    base_branch: at('/base_branch'),
    base_digest: at('/base_digest'),
    targets: [...commandKinds.map(target), target('clock'), target('random'), target('strange')],
    supplies: [target('model')],
    input: { digest: at('/input/digest'), value: anyValue(canaries, `${type} /operation/input`) },
    program_before: programAt('program_before'),
    program_after: programAt('program_after'),
    sandbox: at('/sandbox'),
    policies: { world: at('/policies'), missing: at('/policies'), [at('/*')]: at('/*') },
    limits: anyValue(canaries, `${type} /operation/limits`),
    flags: [at('/flags')],
    actor: { id: at('/actor'), kind: 'human', on_behalf_of: at('/actor'), extra: at('/*') },
    reason: at('/reason'),
    at: '2031-05-06T07:08:10Z',
    [at('/*')]: at('/*'),
  };
}
