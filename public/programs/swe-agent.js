/**
 * The loop of SWE-agent: the model is asked with all that was said, the one command in its answer is run, it is told the output, until it
 * submits.
 *
 * Given only the task and what came back. The command stands in the answer, in a block of code, in an XML element, or as a call of the tool
 * `bash`. An answer without a command is told what is wrong with it; those words are
 * waited for, because they come from a template of the configuration. What the command that submits prints is what is handed in.
 */
async function main(ctx) {
  const talk = { earlier: [0, 0], fresh: [{ role: 'user', content: await ctx.signal('prompt') }] };
  for (let n = 0; ; n++) {
    const [answer] = await ask(ctx, talk);
    talk.fresh.push({ role: 'assistant', content: [answer] });
    const command = commandIn(answer);
    if (command === undefined) {
      talk.fresh.push({ role: 'user', content: await ctx.signal('prompt') });
      continue;
    }
    const key = `step:${n}`;
    const name = /^[\w.-]+/.exec(command.trim())?.[0] ?? 'command';
    ctx.decide('tools', [{ tool: name, call_id: key }]);
    const opts = { key, uses: [answer] };
    const isReading = reading.has(name.toLowerCase());
    const output = await (isReading ? ctx.read(name, { command }, opts) : ctx.write(name, { command }, opts));
    if (name === 'submit') return output;
    talk.fresh.push({ role: 'tool', call: key, content: output });
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

/** The command in an answer, as the parsers of SWE-agent take it: a call, the last element, or the last block that was closed. */
function commandIn(answer) {
  const called = answer?.tool_calls?.[0]?.function;
  if (called !== undefined) return commandOf(called);
  const text = String(typeof answer === 'string' ? answer : (answer?.content ?? ''));
  const end = text.lastIndexOf('</command>');
  const start = text.lastIndexOf('<command>', end);
  return end > 0 && start >= 0 ? text.slice(start + '<command>'.length, end).trim() : lastBlock(text);
}

/** None where the model did not write what a command is made of. */
function commandOf(called) {
  try {
    const { command } = JSON.parse(called.arguments);
    return typeof command === 'string' ? command : undefined;
  } catch {
    return undefined;
  }
}

/** A fence that names a language opens a block, also inside another; a bare one closes what is open. */
function lastBlock(text) {
  const open = [];
  let block;
  for (const fence of text.matchAll(/^```(\S*)[^\S\n]*(?:\n|$)/gm)) {
    if (fence[1] !== '' || open.length === 0) open.push(fence.index + fence[0].length);
    else {
      const start = open.pop();
      if (open.length === 0) block = text.slice(start, fence.index);
    }
  }
  return block;
}

/** Commands that look and change nothing outside. */
const reading = new Set(['cat', 'glob', 'grep', 'ls', 'list', 'search', 'read', 'think', 'recall']);
