/**
 * The loop of an agent in tau-bench: the customer says something, the model is asked with all that was said, the first call in its answer is
 * run, or its words are told to the customer, until the customer says to stop or the agent hands over to a person.
 *
 * Given only what the customer said and what came back. The rules of the task are the system prompt, which is in no request here.
 */
async function main(ctx) {
  const talk = { earlier: [0, 0], fresh: [{ role: 'user', content: await ctx.signal('prompt') }] };
  for (;;) {
    const answer = await ask(ctx, talk);
    talk.fresh.push({ role: 'assistant', content: answer });
    const [call] = answer.filter(({ type }) => type === 'tool_call');
    if (call === undefined) {
      const said = await ctx.signal('prompt');
      if (JSON.stringify(said).includes('###STOP###')) return;
      talk.fresh.push({ role: 'user', content: said });
      continue;
    }
    const { id, name, arguments: args } = call;
    ctx.decide('tools', [{ tool: name, call_id: id }]);
    const opts = { key: id, uses: [answer] };
    const run = isReading(name) ? ctx.read(name, args, opts) : ctx.write(name, args, opts);
    const content = await run.catch(({ message }) => ({ error: message }));
    if (name === 'transfer_to_human_agents') return;
    talk.fresh.push({ role: 'tool', call: id ?? null, content });
  }
}

/** Tools of the benchmark that look and change nothing. */
function isReading(name) {
  return /^(?:find|get|list|search|think|calculate)(?:_|$)/.test(name);
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
