/**
 * The loop of an agent whose model calls are recorded with what was asked and answered (OpenTelemetry, OpenInference, Langfuse, LangSmith,
 * OpenAI Agents SDK, Inspect): the model is asked, its calls are run, it is asked again with all that was said and their results, until it
 * answers without calling anything.
 *
 * Given only which conversations there were and what each began with (`opening`), and what came back. All later requests are computed and
 * compared with the recorded ones. A conversation that begins with an answer of another one waits for that. A conversation is a flat list:
 * `{said, text}`, `{calls, args}`, `{answers, told}`, so that it does not matter how a provider writes it.
 */
async function main(ctx) {
  const { talks, ends } = await ctx.read('conversations', {});
  const marks = Object.fromEntries(talks.map(({ key }) => [key, []]));
  const said = await Promise.all(talks.map((talk) => ctx.scope(talk.key, (inner) => converse(inner, talk, marks))));
  if (!ends) return;
  const outcome = await ctx.read('outcome', { said });
  if (outcome.failed) throw Object.assign(new Error(outcome.failed.message), { name: outcome.failed.name });
  return outcome.result;
}

/** Gives a print of all that was said. */
async function converse(ctx, { key, after, told, unrun, prompts, last }, marks) {
  const before = await Promise.all(after.map((source) => mark(marks, source.key, source.answer).promise));
  const opening = await ctx.read('opening', { after: before });
  const talk = { earlier: [0, 0], fresh: [...opening], calls: opening.filter((item) => 'calls' in item).length };
  for (let n = 0; ; n++) {
    let print = talk.fresh.reduce(follow, talk.earlier);
    const answer = await ask(ctx, talk).catch(() => undefined);
    if (answer === undefined) return print;
    talk.fresh.push(...answerToItems(answer));
    print = talk.fresh.reduce(follow, talk.earlier);
    mark(marks, key, n).resolve(print);
    const calls = callsIn(answer, talk);
    if (calls.length > 0) {
      ctx.decide(
        'tools',
        calls.map(({ id, name }) => ({ tool: name, call_id: id })),
      );
      const wanted = calls.filter(({ key: call }) => !unrun.includes(call));
      const results = await Promise.all(wanted.map((call) => run(ctx, call, answer, told)));
      if (n === last) return print;
      wanted.forEach(({ at }, i) => talk.fresh.push({ answers: at, told: results[i] }));
    } else if (prompts-- > 0) talk.fresh.push(...(await ctx.signal('prompt')));
    else return print;
  }
}

/** What a conversation had said with its n-th answer. */
function mark(marks, key, n) {
  return (marks[key][n] ??= Promise.withResolvers());
}

/** Asks with what is new and a print of all that was said earlier, instead of the whole conversation each time. */
function ask(ctx, talk) {
  const { earlier, fresh: messages } = talk;
  talk.earlier = messages.reduce(follow, earlier);
  talk.fresh = [];
  return ctx.model('model', { earlier, messages });
}

function follow([one, other], message) {
  const text = canon(message);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193) + 1;
    other = Math.imul(other + code, 0x5bd1e995) ^ (other >>> 15);
  }
  return [one | 0, other | 0];
}

/** A value as text, whatever the order of its members. */
function canon(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canon).join(',')}]`;
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canon(value[key])}`)
    .join(',')}}`;
}

/** What the model is told of a call. Where the record shows other words than the result, what made them is read. */
async function run(ctx, { id, key, name, args }, answer, told) {
  const result = await ctx.write(name, args, { key: id, uses: [answer] }).catch(({ message }) => ({ error: message }));
  return told.includes(key) ? ctx.read('told', { result }, { key }) : comparable(result);
}

function callsIn(answer, talk) {
  return answer
    .filter(({ type }) => type === 'tool_call')
    .map(({ id, name, arguments: args }) => {
      const at = talk.calls++;
      return { id, key: id ?? `#${at}`, at, name, args: argsOf(args) };
    });
}

function argsOf(args) {
  const read = parsed(args) ?? {};
  return read === '' ? {} : read;
}

/** An answer as items: its words as one text, what is neither words nor thoughts, its calls. */
function answerToItems(answer) {
  const text = answer
    .filter(({ type }) => type === 'text')
    .map(({ content }) => content ?? '')
    .join('')
    .trim();
  const others = answer.filter(({ type }) => !['text', 'tool_call', 'reasoning', 'tool_call_response'].includes(type));
  return [
    ...(text === '' ? [] : [{ said: 'assistant', text }]),
    ...others.map((part) => ({ said: 'assistant', part })),
    ...answer
      .filter(({ type }) => type === 'tool_call')
      .map(({ name, arguments: args }) => ({ calls: name, args: argsOf(args) })),
  ];
}

/** One spelling of a result: JSON in a string, a text inside parts or in an envelope of one. */
function comparable(value) {
  const read = parsed(value);
  if (read === undefined || read === null) return '';
  if (typeof read === 'string') return read.trim();
  if (Array.isArray(read)) {
    const texts = read.map((item) => textAt(item, 'text') ?? textAt(item, 'content'));
    if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts.join('\n').trim();
  } else if (typeof read === 'object') {
    const only = read.content ?? read.output ?? read.result;
    if (typeof only === 'string' || Array.isArray(only)) return comparable(only);
  }
  return canon(read);
}

function textAt(item, name) {
  return typeof item?.[name] === 'string' && item[name] !== '' ? item[name] : undefined;
}

function parsed(value) {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
