/**
 * The loop of a coding agent in a terminal (Claude Code, Codex, Gemini CLI and their kind): a person says something, the model is asked with
 * all that was said before, the calls in its answer are run, it is asked again with their results, until it answers without calling
 * anything; then the next thing that the person says is waited for, until the wait is given up.
 *
 * Given only what the person said and what came back. What is asked next is computed from it: from an answer the calls, from the results
 * the next request. A sub-agent of Claude Code (Task, Agent) is the same loop inside, with what its call passed as its first message; those of
 * other programs have sessions of their own.
 */
async function main(ctx) {
  const talk = { earlier: [0, 0], fresh: [] };
  for (;;) {
    const said = await ctx.signal('prompt').catch(() => undefined);
    if (said === undefined) return;
    talk.fresh.push({ role: 'user', content: said });
    await turn(ctx, talk);
  }
}

/** Until the model calls nothing, or cannot be asked any more. Gives its last words. */
async function turn(ctx, talk) {
  for (;;) {
    const answer = await ask(ctx, talk).catch(() => undefined);
    if (answer === undefined) return null;
    talk.fresh.push({ role: 'assistant', content: answer });
    const calls = callsIn(answer);
    if (calls.length === 0) return answer;
    const chosen = ctx.decide(
      'tools',
      calls.map(({ id, name }) => ({ tool: name, call_id: id })),
    );
    const wanted = calls.filter(({ id, name }) => chosen.some((one) => one.tool === name && one.call_id === id));
    const results = await Promise.all(wanted.map((call) => run(ctx, call, answer)));
    wanted.forEach(({ id }, n) => talk.fresh.push({ role: 'tool', call: id ?? null, content: results[n] }));
  }
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
  return start(ctx, name, args, opts).catch(({ message }) => ({ error: message }));
}

function start(ctx, name, args, opts) {
  if (name === 'Task' || name === 'Agent') return ctx.child(name, args, subAgent, opts);
  if (isSubAgent(name)) return ctx.child(name, args, opts);
  return isReading(name) ? ctx.read(name, args, opts) : ctx.write(name, args, opts);
}

/** What the program around it reports of a sub-agent: its last words, and counts that only the record knows. */
async function subAgent(ctx, input) {
  const said = await turn(ctx, { earlier: [0, 0], fresh: [{ role: 'user', content: input }] });
  return ctx.read('report', { said });
}

/** The calls in an answer, as the providers write them. */
function callsIn(answer) {
  const found = (Array.isArray(answer) ? answer : [answer]).flatMap((block) => {
    if (block?.type === 'tool_use') return [{ id: block.id, name: block.name, args: block.input }];
    if (block?.type === 'function_call')
      return [{ id: block.call_id, name: block.name, args: parsed(block.arguments) }];
    if (block?.type === 'tool_call') return [{ id: block.id, name: block.name, args: block.arguments }];
    if (block?.type === 'custom_tool_call') return [{ id: block.call_id, name: block.name, args: block.input }];
    if (block?.functionCall)
      return [{ id: block.functionCall.id, name: block.functionCall.name, args: block.functionCall.args }];
    return (block?.tool_calls ?? []).map(({ id, function: called }) => ({
      id,
      name: called?.name,
      args: parsed(called?.arguments),
    }));
  });
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

function isSubAgent(name) {
  return ['task', 'agent', 'spawn_agent', 'subagent', 'delegate_to_agent', 'agentswarm'].includes(name.toLowerCase());
}

/** Tools that look and change nothing outside. */
const reading = new Set(
  `read read_file readfile view open_file cat glob grep ls list list_dir list_directory search search_file_content file_search notebookread
  codebase_search read_many_files webfetch web_fetch fetchurl websearch web_search google_web_search todoread todowrite todo_write todolist
  bashoutput toolsearch listmcpresources readmcpresource update_plan update_topic think get_goal getgoal tasklist taskoutput cronlist
  readmediafile view_image read_resource wait_agent enter_plan_mode exit_plan_mode enterplanmode exitplanmode askuserquestion
  list_mcp_resources save_memory recall`.split(/\s+/),
);

function isReading(name) {
  return reading.has(name.toLowerCase());
}
