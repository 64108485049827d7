/**
 * What a control program can ask for, as short as it is shown beside the editor.
 *
 * Invariant: names the calls and options of `core/replay/API.md`, all of them; a test compares the two.
 */
export interface ApiEntry {
  readonly call: string;
  readonly means: string;
}

export const programCalls: readonly ApiEntry[] = [
  { call: 'await ctx.model(name, args, opts?)', means: 'ask a model' },
  { call: 'await ctx.read(name, args, opts?)', means: 'read something outside; nothing changes' },
  { call: 'await ctx.write(name, args, opts?)', means: 'change something outside; a replay never does it' },
  { call: 'await ctx.sleep(ms, {name?})', means: 'wait, in the time of the run' },
  { call: 'await ctx.signal(name, {match?})', means: 'wait for a person or another system' },
  {
    call: 'await ctx.child(name, input, async (ctx, input) => …, opts?)',
    means: 'run a sub-agent; without the function, one elsewhere',
  },
  { call: 'await ctx.state(name, value, opts?)', means: 'write a new version of a durable state' },
  {
    call: 'ctx.decide(name, chosen, {alternatives?, uses?, because?})',
    means: 'make a choice that can be edited later',
  },
  { call: 'ctx.cancel(promise)', means: 'give a command up' },
  { call: 'ctx.patched(id)', means: 'true where this change was there when the run was recorded' },
  { call: 'ctx.now()', means: 'the time of the run' },
  { call: 'ctx.random()', means: 'a drawn number' },
  { call: 'ctx.pure(name, args, fn)', means: 'a named computation' },
  { call: 'await ctx.step(name, async (ctx) => …)', means: 'a named part, for the reader' },
  { call: 'ctx.record(type, data)', means: 'a note for the reader' },
  { call: 'await ctx.rollover(carried)', means: 'go on in a new segment' },
  { call: 'ctx.all({label: async (ctx) => …})', means: 'side by side, all results' },
  { call: 'ctx.race({label: async (ctx) => …})', means: 'side by side, the first result' },
  { call: 'ctx.each(items, keyOf, async (ctx, item, n) => …)', means: 'one scope for each item, by its key' },
  { call: 'ctx.scope(key, async (ctx) => …)', means: 'a scope of its own' },
];

export const programOptions: readonly ApiEntry[] = [
  { call: 'key', means: 'names the command instead of a count; it protects nothing' },
  { call: 'idempotencyKey', means: 'lets the service answer a second request instead of acting again' },
  { call: 'reads', means: 'names of what is read, such as tickets/8421' },
  { call: 'writes', means: 'names of what is changed' },
  { call: 'uses', means: 'values, promises, versions or paths the arguments were made of' },
  { call: 'by', means: 'name of the decision that chose this command' },
];
