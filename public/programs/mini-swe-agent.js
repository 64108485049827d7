/**
 * The loop of mini-swe-agent: the model is asked with all that was said, the commands in its answer are run, it is told their outputs, until
 * a command submits.
 *
 * Given only the task and what came back. Version 2 asks for commands by tool calls, version 1 by one block of code in the answer. An answer
 * without a command, or with a call that is none, is told what is wrong with it; those words are read, because they come from a template of
 * the configuration.
 */
async function main(ctx) {
  const talk = { earlier: [0, 0], fresh: [{ role: 'user', content: await ctx.signal('prompt') }] };
  for (;;) {
    const [answer] = await ask(ctx, talk);
    talk.fresh.push({ role: 'assistant', content: [answer] });
    const calls = commandsIn(answer);
    if (calls.length === 0) {
      talk.fresh.push({ role: 'user', content: await ctx.signal('prompt') });
      continue;
    }
    ctx.decide(
      'tools',
      calls.map(({ id }) => ({ tool: 'bash', call_id: id })),
    );
    const outputs = calls.map(({ id, args }) =>
      ctx.write('bash', args, { key: id, uses: [answer] }).catch(({ message }) => ({ error: message })),
    );
    for (const [n, { id, args }] of calls.entries()) {
      const output = await outputs[n];
      const submission = submissionIn(args, output);
      if (submission !== undefined) return submission;
      talk.fresh.push({ role: 'tool', call: id ?? null, content: output });
    }
  }
}

/** The environment ends the run where a command prints the mark; what else it printed is then no observation, but what is handed in. */
function submissionIn({ command }, output) {
  if (typeof output?.submission === 'string') return output.submission;
  const isMarked = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/.test(command);
  return isMarked && typeof output === 'string' && !/^\s*<(returncode|exception)>/.test(output) ? output : undefined;
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

/**
 * One call that is no command makes the whole answer one without, and so does more than one block of code: the model is told what is wrong
 * with it, and nothing is run.
 */
function commandsIn(answer) {
  const called = callsIn(answer);
  if (called.length > 0)
    return called.every(({ name, args }) => name === 'bash' && args?.command !== undefined) ? called : [];
  const text = textOf(answer.content);
  for (const block of [/```mswea_bash_command\s*\n([\s\S]*?)\n?```/g, /```bash\s*\n([\s\S]*?)\n?```/g]) {
    const found = [...text.matchAll(block)];
    if (found.length > 0) return found.length === 1 ? [{ args: { command: found[0][1] } }] : [];
  }
  return [];
}

/** As the two APIs of OpenAI write them. */
function callsIn(answer) {
  const items = (answer.output ?? []).filter(({ type }) => type === 'function_call');
  if (items.length > 0)
    return items.map(({ id, call_id, name, arguments: text }) => ({ id: call_id ?? id, name, args: parsed(text) }));
  return (answer.tool_calls ?? []).map(({ id, function: called }) => ({
    id,
    name: called?.name,
    args: parsed(called?.arguments),
  }));
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => part?.text ?? '').join('\n') : '';
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
