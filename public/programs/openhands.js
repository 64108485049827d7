/**
 * The loop of OpenHands: a person says something, the model is asked with all that was said before, its calls are run, it is told their
 * outputs, until it calls `finish` or only says something; then the next thing that is said is waited for, until
 * the wait is given up.
 *
 * Given only what was said and what came back. Answers carry their calls, in the provider's words (version 0) or as parts (version 1).
 */
async function main(ctx) {
  const talk = { earlier: [0, 0], fresh: [] };
  for (;;) {
    const said = await ctx.signal('prompt').catch(() => undefined);
    if (said === undefined) return;
    talk.fresh.push({ role: 'user', content: said });
    for (;;) {
      const answer = await ask(ctx, talk);
      talk.fresh.push({ role: 'assistant', content: answer });
      const calls = callsIn(answer);
      const wanted = calls.filter(({ name }) => name !== 'finish');
      if (wanted.length > 0) await runAll(ctx, talk, answer, wanted);
      if (calls.length === 0 || wanted.length < calls.length) break;
    }
  }
}

async function runAll(ctx, talk, answer, calls) {
  ctx.decide(
    'tools',
    calls.map(({ id, name }) => ({ tool: name, call_id: id })),
  );
  const results = await Promise.all(calls.map((call) => run(ctx, call, answer)));
  calls.forEach(({ id }, n) => talk.fresh.push({ role: 'tool', call: id ?? null, content: results[n] }));
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

/** What the model is told of a call: its result, or why it failed. */
function run(ctx, { id, name, args }, answer) {
  const opts = { key: id, uses: [answer] };
  return (reading.has(name.toLowerCase()) ? ctx.read(name, args, opts) : ctx.write(name, args, opts)).catch(
    ({ message }) => ({ error: message }),
  );
}

/** The calls in an answer. */
function callsIn(answer) {
  const found = answer.flatMap((block) =>
    block?.type === 'tool_call'
      ? [{ id: block.id, name: block.name, args: block.arguments }]
      : (block?.tool_calls ?? []).map(({ id, function: called }) => ({
          id,
          name: called?.name,
          args: parsed(called?.arguments),
        })),
  );
  // A call of nothing is none.
  return found.filter(({ name }) => typeof name === 'string');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Tools that look and change nothing outside. */
const reading = new Set(
  `read read_file readfile view open_file cat glob grep ls list list_dir list_directory search search_file_content file_search notebookread
  codebase_search read_many_files webfetch web_fetch fetchurl websearch web_search google_web_search todoread todowrite todo_write todolist
  bashoutput toolsearch listmcpresources readmcpresource update_plan update_topic think get_goal getgoal tasklist taskoutput cronlist
  readmediafile view_image read_resource wait_agent enter_plan_mode exit_plan_mode enterplanmode exitplanmode askuserquestion
  list_mcp_resources save_memory recall`.split(/\s+/),
);
